import { MARK_DELAY_MS } from '#schema/constants/market.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { CallDetail, CallQuote } from '#schema/contracts/calls.ts';
import type { OperatorsPage, OperatorsRow } from '#schema/contracts/operators.ts';
import { priceSourceName } from '#schema/rules/prices/price-source-names.ts';
import { formatChange, formatUsd } from '#schema/rules/text/format.ts';
import { utcMinute } from '#schema/rules/text/utc-minute.ts';
import { link, personLink, row, section } from './page.ts';
import { textRow } from './person.ts';
import type { TextRow } from '../../log/readable-calls.repository.ts';
import type { FoundCall } from '../../market/calls/call-search.repository.ts';

const SIDES = { open: 'Entry', end: 'End' } as const;

interface CallParts {
  readonly found: FoundCall;
  /** Null while the call is open. */
  readonly call: CallDetail | null;
  readonly texts: readonly TextRow[];
  /** The operators' actions on the call. */
  readonly acts: readonly OperatorsRow[];
}

/** An ended call: each source's prices at its entry and end, and who corrected it. Of an open one, only its texts. */
export function callPage({ found, call, texts, acts }: CallParts): OperatorsPage {
  return {
    title: `Call of ${found.symbol} by @${found.handle}`,
    badges: call === null ? ['Open'] : [],
    sections: [
      ...(call === null ? [] : priceSections(call, found)),
      section('What operators did', { rows: acts, none: 'No operator has changed or noted anything.' }),
      section('Texts', { rows: texts.map((text) => textRow(text, found.handle)), none: 'It has no texts.' }),
    ],
  };
}

function priceSections(call: CallDetail, { handle, symbol }: FoundCall) {
  const { id, note } = call;
  const action = note === null ? 'add_note' : 'remove_note';
  return [
    section('Entry and end', {
      facts: [
        ['Public page', link('public_call', id, `Call of ${symbol}`)],
        ['Caller', personLink(call.callerId, handle)],
        ['Token', call.tokenMint],
        ['Entry', `$${call.entryPrice} at ${utcMinute(call.callTimestamp)}`],
        ['End', `$${call.endPrice ?? ''} at ${utcMinute(call.endTimestamp ?? '')}`],
        ['Change', call.changePercent === undefined ? '–' : formatChange(call.changePercent)],
        ['Ended by', call.automaticEnd?.replaceAll('_', ' ') ?? 'the caller'],
        ['Unranked', call.unrankedReason?.replaceAll('_', ' ') ?? 'no'],
        ...(note === null ? [] : [['Public note', note.text] as const]),
        ['Id', id],
      ],
      actions: [{ action, subjectId: id, about: `call of ${symbol}` }],
    }),
    section('Prices of each source', { rows: priceRows(call), none: 'No price was kept.' }),
  ];
}

const RECORDED = {
  open: 'Recorded: a call opens at the higher of two prices, or the first if they’re equal.',
  end: 'Recorded: a call ends at the lower of two prices, or the first if they’re equal.',
} as const;

function explainRecorded({ side }: CallQuote, quotes: readonly CallQuote[]): string {
  const usable = quotes.filter((each) => each.side === side && each.price !== null && each.failure === null);
  return usable.length > 1 ? RECORDED[side] : 'Recorded: no other source had a usable price.';
}

const priceRows = ({ quotes, marks }: CallDetail): OperatorsRow[] => [
  ...quotes.map((quote) => {
    const { side, source, price, failure, isRecorded, sentPrice, blockId, liquidityUsd } = quote;
    return row({
      id: `${side} ${source}`,
      title: `${SIDES[side]}, ${priceSourceName(source)}: ${price === null ? (failure ?? 'no price') : `$${price}`}`,
      at: Date.parse(quote.quotedAt),
      lines: [
        isRecorded ? explainRecorded(quote, quotes) : null,
        price !== null && failure !== null ? `Not used: ${failure}` : null,
        sentPrice === null ? null : `Converted from $${sentPrice}`,
        liquidityUsd === null ? null : `Liquidity ${formatUsd(liquidityUsd)}`,
        blockId === null ? null : `Slot ${blockId}`,
      ],
    });
  }),
  ...marks.map(({ side, source, price, seenAt }) =>
    row({
      id: `${side} mark`,
      title: `${SIDES[side]} + ${MARK_DELAY_MS / MINUTE_MS} min, ${source === null ? 'no source' : priceSourceName(source)}: ${price === null ? 'no price' : `$${price}`}`,
      at: Date.parse(seenAt),
      lines: ['For the follower result'],
    }),
  ),
];

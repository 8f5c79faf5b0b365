import type { CallDetail, CallQuote, PriceMark } from '#schema/contracts/calls.ts';
import { priceSourceName } from '#schema/rules/prices/price-source-names.ts';
import { formatUsd } from '#schema/rules/text/format.ts';
import { formatMinute, formatTime } from '#web/lib/text/dates.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import type { Plan } from './action-labels.ts';
import { Actions } from './actions.tsx';
import { type Fact, Facts } from './facts.tsx';

interface CallFactsProps {
  call: CallDetail;
  onPlan: Plan;
}

/** Answers "My call ended at a wrong price": each source's quotes, and the public note. */
export function CallFacts({ call, onPlan }: CallFactsProps) {
  const { id, tokenSymbol, quotes, marks, note } = call;
  return (
    <section className="mt-3 space-y-3 rounded-md border border-line p-3 text-sm">
      <h3 className="font-medium">{`Call of ${tokenSymbol}`}</h3>
      <Facts facts={factsOf(call)} />
      <ul aria-label="Quotes" className="space-y-1 text-xs wrap-anywhere">
        {quotes.map((quote) => (
          <li key={`${quote.side} ${quote.source}`}>
            {describeQuote(quote)} {quote.isRecorded && <Badge size="sm">Recorded</Badge>}
          </li>
        ))}
        {marks.map((mark) => (
          <li key={mark.side}>{describeMark(mark)}</li>
        ))}
      </ul>
      {note !== null && <p className="whitespace-pre-wrap wrap-anywhere">{`Note: ${note.text}`}</p>}
      <Actions
        onPlan={onPlan}
        actions={[
          {
            action: note === null ? 'add_note' : 'remove_note',
            subjectId: id,
            about: `call of ${tokenSymbol}`,
          },
        ]}
      />
    </section>
  );
}

function factsOf(call: CallDetail): readonly Fact[] {
  return [
    ['Id', call.id],
    ['Token', call.tokenMint],
    ['Entry', `$${call.entryPrice} at ${formatMinute(call.callTimestamp)}`],
    ['End', `$${call.endPrice ?? ''} at ${formatMinute(call.endTimestamp ?? '')}`],
    ['Ended by', call.automaticEnd ?? 'the caller'],
  ];
}

const SIDES = { open: 'Entry', end: 'End' } as const;

const liquidityOf = (usd: number | null) =>
  usd === null ? 'liquidity unknown' : `liquidity ${formatUsd(usd)}`;

function describeQuote({ side, source, price, failure, quotedAt, liquidityUsd }: CallQuote): string {
  const said = price === null ? (failure ?? '') : `$${price}`;
  return `${SIDES[side]}: ${priceSourceName(source)} ${said} at ${formatTime(quotedAt)}, ${liquidityOf(liquidityUsd)}`;
}

function describeMark({ side, source, price, seenAt, liquidityUsd }: PriceMark): string {
  const found =
    price === null || source === null ? 'no source had a price' : `${priceSourceName(source)} $${price}`;
  return `${SIDES[side]} + 1 min: ${found} at ${formatTime(seenAt)}, ${liquidityOf(liquidityUsd)}`;
}

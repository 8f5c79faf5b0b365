import { base64, canonical, sha256, utf8 } from './bytes.ts';
import type { Context } from './caller.ts';
import type { CallerChain, EndedCall } from './chain.ts';
import { isNumber, isPrice, isText, listOf, nullable, objectOf, read, type Of } from './shapes.ts';
import { fetchPage } from './site.ts';

// The reason `one_source`, compared with the quotes that the site says it received, whose hashes the log has.

const MAX_AGE_MS = 60_000;
/** Sources round the prices of scaled tokens. */
const SAME_UNIT = 0.02;

const isQuote = objectOf({
  side: isText,
  source: isText,
  price: nullable(isPrice),
  sentPrice: nullable(isPrice),
  failure: nullable(isText),
  quotedAt: isText,
  liquidityUsd: nullable(isNumber),
  multiplier: nullable(isNumber),
});
const isDetail = objectOf({ quotes: listOf(isQuote) });
type Quote = Of<typeof isQuote>;

function hashOf(quotes: readonly Quote[]): string {
  const list = quotes
    .map(({ quotedAt, sentPrice, failure, liquidityUsd, multiplier, price, source }) => {
      return { at: Date.parse(quotedAt), failure, liquidityUsd, multiplier, price, sent: sentPrice, source };
    })
    .sort((one, other) => (one.source < other.source ? -1 : 1));
  return base64(sha256(utf8(canonical(list))));
}

const usableAt = (quotes: readonly Quote[], time: number) =>
  quotes.filter(
    ({ price, failure, quotedAt }) =>
      price !== null && failure === null && time - Date.parse(quotedAt) <= MAX_AGE_MS,
  );

const unitOf = ({ multiplier, price, sentPrice }: Quote) =>
  ((multiplier ?? 1) * Number(price)) / Number(sentPrice ?? price);

/** True if a scaled token's unit changed during the call: quotes at the end then don't confirm each other. */
const isRescaled = (entry: readonly Quote[], end: readonly Quote[]) =>
  end.every(({ multiplier }) => multiplier !== null) &&
  end.some((quote) => {
    const earlier = entry.find(({ source }) => source === quote.source) ?? quote;
    return Math.abs(Math.log(unitOf(quote) / unitOf(earlier))) > SAME_UNIT;
  });

/** Checks each call that is unranked or whose gain doesn't count because only one source had a usable price. */
export async function checkQuotes(context: Context, { ended }: CallerChain): Promise<void> {
  for (const call of ended.values()) {
    if (call.unranked === 'one_source' || call.uncounted === 'one_source') await checkCall(context, call);
  }
}

async function checkCall({ options, report }: Context, call: EndedCall): Promise<void> {
  const name = `The call ${call.call} on ${call.symbol}`;
  const { value } = await fetchPage(options.get, `/api/token-calls/${call.call}`, false);
  const { quotes } = read(value, isDetail, name);
  const entry = quotes.filter(({ side }) => side === 'open');
  const end = quotes.filter(({ side }) => side === 'end');
  if (hashOf(entry) !== call.quotes || hashOf(end) !== call.endQuotes) {
    return report.fail('quotes_differ', `${name}: the site serves other quotes than it logged.`);
  }
  const [atEntry, atEnd] = [usableAt(entry, call.openedAt), usableAt(end, call.endedAt)];
  const isRanked = call.unranked !== 'one_source';
  const isWrong = isRanked ? atEnd.length > 1 && !isRescaled(entry, atEnd) : atEntry.length > 1;
  if (!isWrong) return;
  const what = isRanked ? 'its gain counts as 0%' : 'it is unranked';
  report.fail(
    'quotes_differ',
    `${name}: ${what} for having one source, but the site says it had ${isRanked ? atEnd.length : atEntry.length}.`,
  );
}

import { base64, canonical, sha256, utf8 } from './bytes.ts';
import type { Context } from './caller.ts';
import type { CallerChain, EndedCall } from './chain.ts';
import { isNumber, isPrice, isText, listOf, nullable, objectOf, read, type Of } from './shapes.ts';
import { fetchPage } from './site.ts';

// The reason `one_source`, compared with the quotes that the site says it received, whose hashes the log has.

const MAX_AGE_MS = 60_000;

const isQuote = objectOf({
  side: isText,
  source: isText,
  price: nullable(isPrice),
  sentPrice: nullable(isPrice),
  failure: nullable(isText),
  quotedAt: isText,
  liquidityUsd: nullable(isNumber),
});
const isDetail = objectOf({ quotes: listOf(isQuote) });
type Quote = Of<typeof isQuote>;

function hashOf(quotes: readonly Quote[]): string {
  const list = quotes
    .map(({ quotedAt, sentPrice, failure, liquidityUsd, price, source }) => {
      return { at: Date.parse(quotedAt), failure, liquidityUsd, price, sent: sentPrice, source };
    })
    .sort((one, other) => (one.source < other.source ? -1 : 1));
  return base64(sha256(utf8(canonical(list))));
}

/** Checks each call that is unranked, or whose gain doesn't count, because only one source had a usable price. */
export async function checkQuotes(context: Context, { ended }: CallerChain): Promise<void> {
  for (const call of ended.values()) {
    const { quotes, openedAt, endQuotes, endedAt } = call;
    if (call.unranked === 'one_source') {
      await checkSide(context, call, { side: 'open', hash: quotes, at: openedAt, effect: 'is unranked' });
    }
    if (call.uncounted === 'one_source') {
      await checkSide(context, call, { side: 'end', hash: endQuotes, at: endedAt, effect: 'counts as 0%' });
    }
  }
}

interface Side {
  readonly side: 'open' | 'end';
  readonly hash: string;
  readonly at: number;
  readonly effect: string;
}

async function checkSide({ options, report }: Context, { call, symbol }: EndedCall, applied: Side) {
  const { side, hash, at, effect } = applied;
  const name = `The call ${call} on ${symbol}`;
  const { value } = await fetchPage(options.get, `/api/token-calls/${call}`, false);
  const quotes = read(value, isDetail, name).quotes.filter((quote) => quote.side === side);
  const usable = quotes.filter(
    ({ price, failure, quotedAt }) =>
      price !== null && failure === null && at - Date.parse(quotedAt) <= MAX_AGE_MS,
  ).length;
  if (hashOf(quotes) !== hash) {
    report.fail('quotes_differ', `${name}: the site serves other quotes than it logged.`);
  } else if (usable > 1) {
    const why = `it ${effect} because one source had a price, but the site says that ${usable} had`;
    report.fail('quotes_differ', `${name}: ${why}.`);
  }
}

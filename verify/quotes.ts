import { base64, canonical, sha256, utf8 } from './bytes.ts';
import type { Context } from './caller.ts';
import type { CallerChain } from './chain.ts';
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
export async function checkQuotes({ options, report }: Context, { ended }: CallerChain): Promise<void> {
  for (const { call, symbol, unranked, uncounted, ...logged } of ended.values()) {
    const sides = [
      { reason: unranked, side: 'open', hash: logged.quotes, at: logged.openedAt, effect: 'is unranked' },
      { reason: uncounted, side: 'end', hash: logged.endQuotes, at: logged.endedAt, effect: 'counts as 0%' },
    ];
    for (const { side, hash, at, effect } of sides.filter(({ reason }) => reason === 'one_source')) {
      const name = `The call ${call} on ${symbol}`;
      const { value } = await fetchPage(options.get, `/api/token-calls/${call}`, false);
      const quotes = read(value, isDetail, name).quotes.filter((quote) => quote.side === side);
      const isUsable = ({ price, failure, quotedAt }: Quote) =>
        price !== null && failure === null && at - Date.parse(quotedAt) <= MAX_AGE_MS;
      const usable = quotes.filter(isUsable).length;
      if (hashOf(quotes) !== hash) {
        report.fail('quotes_differ', `${name}: the site serves other quotes than it logged.`);
      } else if (usable > 1) {
        const why = `it ${effect} because one source had a price, but the site says that ${usable} had`;
        report.fail('quotes_differ', `${name}: ${why}.`);
      }
    }
  }
}

import { Hono, type Context } from 'hono';
import { decimalsOf, type Market, type Quote } from '../market/market.ts';
import { findToken, tokens } from '../market/tokens.ts';
import type { RequestLimit } from '../market/request-limit.ts';
import { jupiterRateLimit } from './plans.ts';
import { tokenIconPng } from './token-icon.ts';
import { describeLiquidity, describeScale, describeToken, searchTokens } from './token-search.ts';

const MAX_PRICE_IDS = 50;
const MAX_SEARCH_MINTS = 100;
const DAY = 86_400_000;

/** The stand-in for api.jup.ag: Token API v2 search, Price API v3 and icons. */
export function createJupiterRoutes({ market, limit }: { market: Market; limit: RequestLimit }): Hono {
  return new Hono()
    .use('/tokens/*', jupiterRateLimit(limit))
    .use('/price/*', jupiterRateLimit(limit))
    .get('/tokens/v2/search', (c) => {
      const query = readOnly(c, 'query').trim();
      if (query === '') return c.json({ error: 'query is required, and no other parameter' }, 400);
      if (query.split(',').length > MAX_SEARCH_MINTS) {
        return c.json({ error: `query must have at most ${MAX_SEARCH_MINTS} mints` }, 400);
      }
      const origin = new URL(c.req.url).origin;
      return c.json(searchTokens(query, market).map((token) => describeToken({ token, market, origin })));
    })
    .get('/price/v3', (c) => {
      const ids = readOnly(c, 'ids')
        .split(',')
        .map((id) => id.trim())
        .filter((id) => id !== '');
      if (ids.length === 0) return c.json({ error: 'ids is required, and no other parameter' }, 400);
      if (ids.length > MAX_PRICE_IDS) {
        return c.json({ error: `ids must have at most ${MAX_PRICE_IDS} mints` }, 400);
      }
      const entries = [...new Set(ids)].flatMap((mint) => {
        const quote = market.quote({ source: 'jupiter', mint });
        return quote === undefined ? [] : [[mint, describePrice({ mint, quote, market })] as const];
      });
      return c.json(Object.fromEntries(entries));
    })
    .get('/icons/:file', async (c) => {
      const symbol = c.req.param('file').replace(/\.png$/, '');
      if (!tokens.some((token) => token.symbol === symbol)) return c.notFound();
      c.header('cache-control', 'public, max-age=86400');
      return c.body(await tokenIconPng(symbol), 200, { 'content-type': 'image/png' });
    });
}

/** Reads the only parameter; empty if there are others, which the product would send by mistake. */
function readOnly(context: Context, name: string): string {
  const { [name]: value = '', ...others } = context.req.query();
  return Object.keys(others).length === 0 ? value : '';
}

function describePrice({ mint, quote, market }: { mint: string; quote: Quote; market: Market }): object {
  const token = findToken(mint);
  return {
    usdPrice: quote.price,
    ...describeScale(quote),
    blockId: quote.slot,
    decimals: decimalsOf(mint),
    priceChange24h: market.changeOver({ mint, overMs: DAY }),
    ...(token === undefined ? {} : { createdAt: token.createdAt }),
    ...describeLiquidity(quote, token),
  };
}

import { Hono, type MiddlewareHandler } from 'hono';
import { decimalsOf, type Market } from '../market/market.ts';
import { findToken, tokens } from '../market/tokens.ts';
import { tokenIconSvg } from './token-icon.ts';
import { blockIdAt, describeToken, searchTokens } from './token-search.ts';

const MAX_PRICE_IDS = 50;
const MAX_SEARCH_MINTS = 100;
const DAY = 86_400_000;

/** Creates the stand-in for api.jup.ag: Token API v2 search, Price API v3, and the icons. */
export function createJupiterRoutes({ market }: { market: Market }): Hono {
  return new Hono()
    .use('/tokens/*', countRequests(market.now))
    .use('/price/*', countRequests(market.now))
    .get('/tokens/v2/search', (c) => {
      const query = c.req.query('query')?.trim() ?? '';
      if (query === '') return c.json({ code: 400, message: 'query is required' }, 400);
      if (query.split(',').length > MAX_SEARCH_MINTS) {
        return c.json({ code: 400, message: `query must have at most ${MAX_SEARCH_MINTS} mints` }, 400);
      }
      const origin = new URL(c.req.url).origin;
      return c.json(searchTokens(query).map((token) => describeToken({ token, market, origin })));
    })
    .get('/price/v3', (c) => {
      const ids = (c.req.query('ids') ?? '').split(',').map((id) => id.trim()).filter((id) => id !== '');
      if (ids.length === 0) return c.json({ code: 400, message: 'ids is required' }, 400);
      if (ids.length > MAX_PRICE_IDS) {
        return c.json({ code: 400, message: `ids must have at most ${MAX_PRICE_IDS} mints` }, 400);
      }
      const entries = [...new Set(ids)].flatMap((mint) => {
        const quote = market.quote({ source: 'jupiter', mint });
        return quote === undefined ? [] : [[mint, describePrice({ mint, usdPrice: quote.price, market })] as const];
      });
      return c.json(Object.fromEntries(entries));
    })
    .get('/icons/:file', (c) => {
      const symbol = c.req.param('file').replace(/\.svg$/, '');
      if (!tokens.some((token) => token.symbol === symbol)) return c.notFound();
      c.header('cache-control', 'public, max-age=86400');
      c.header('access-control-allow-origin', '*');
      return c.body(tokenIconSvg(symbol), 200, { 'content-type': 'image/svg+xml' });
    });
}

function describePrice({ mint, usdPrice, market }: { mint: string; usdPrice: number | string; market: Market }): object {
  const token = findToken(mint);
  return {
    usdPrice,
    blockId: blockIdAt(market.now()),
    decimals: decimalsOf(mint),
    priceChange24h: market.changeOver({ mint, overMs: DAY }),
    ...(token === undefined ? {} : { createdAt: token.createdAt, liquidity: token.liquidityUsd }),
  };
}

/** Tells the rate limit as the real API does; the limit itself is never reached here. */
function countRequests(now: () => number): MiddlewareHandler {
  const perMinute = 600;
  let minute = 0;
  let used = 0;
  return async (context, next) => {
    const current = Math.floor(now() / 60_000);
    used = current === minute ? used + 1 : 1;
    minute = current;
    await next();
    context.header('x-ratelimit-limit', String(perMinute));
    context.header('x-ratelimit-remaining', String(Math.max(0, perMinute - used)));
    context.header('x-ratelimit-reset', String((current + 1) * 60));
  };
}

import { Hono } from 'hono';
import type { Market } from '../market/market.ts';
import { obeyDexScreenerLimit, type RequestLimit } from '../market/request-limit.ts';
import { findPair, pairsOf, primaryPairOf, searchPairs } from './pairs.ts';

const MAX_ADDRESSES = 30;
const SCHEMA_VERSION = '1.0.0';

interface DexScreenerOptions {
  market: Market;
  limit: RequestLimit;
}

/** The stand-in for api.dexscreener.com: tokens, pools of a token, and the search. */
export function createDexScreenerRoutes({ market, limit }: DexScreenerOptions): Hono {
  return new Hono()
    .use(obeyDexScreenerLimit(limit))
    .get('/latest/dex/search', (c) => {
      const text = c.req.query('q') ?? '';
      if (text.trim() === '') return c.json({ schemaVersion: SCHEMA_VERSION, pairs: null });
      const pairs = searchPairs({ text, market, origin: new URL(c.req.url).origin });
      return c.json({ schemaVersion: SCHEMA_VERSION, pairs: pairs.length === 0 ? null : pairs });
    })
    .get('/latest/dex/pairs/solana/:pool', (c) => {
      const pair = findPair({ pool: c.req.param('pool'), market, origin: new URL(c.req.url).origin });
      return c.json({ schemaVersion: SCHEMA_VERSION, pairs: pair === undefined ? null : [pair] });
    })
    .get('/token-pairs/v1/:chain/:mint', (c) => {
      if (c.req.param('chain') !== 'solana') return c.json([]);
      return c.json(pairsOf({ mint: c.req.param('mint'), market, origin: new URL(c.req.url).origin }));
    })
    .get('/tokens/v1/:chain/:addresses', (c) => {
      const mints = c.req
        .param('addresses')
        .split(',')
        .filter((mint) => mint !== '');
      if (mints.length > MAX_ADDRESSES) {
        return c.json({ code: 400, message: `At most ${MAX_ADDRESSES} token addresses` }, 400);
      }
      if (c.req.param('chain') !== 'solana') return c.json([]);
      const origin = new URL(c.req.url).origin;
      return c.json([...new Set(mints)].flatMap((mint) => primaryPairOf({ mint, market, origin })));
    });
}

import { Hono } from 'hono';
import type { Market } from '../market/market.ts';
import { pairsOf, searchPairs } from './pairs.ts';

const MAX_ADDRESSES = 30;
const SCHEMA_VERSION = '1.0.0';

export function createDexScreenerRoutes({ market }: { market: Market }): Hono {
  const routes = new Hono().get('/latest/dex/search', (c) => {
    const text = c.req.query('q') ?? '';
    if (text.trim() === '') return c.json({ schemaVersion: SCHEMA_VERSION, pairs: null });
    const pairs = searchPairs({ text, market, origin: new URL(c.req.url).origin });
    return c.json({ schemaVersion: SCHEMA_VERSION, pairs: pairs.length === 0 ? null : pairs });
  });
  return routes.get('/tokens/v1/:chain/:addresses', (c) => {
    const mints = c.req
      .param('addresses')
      .split(',')
      .filter((mint) => mint !== '');
    if (mints.length > MAX_ADDRESSES) {
      return c.json({ code: 400, message: `At most ${MAX_ADDRESSES} token addresses` }, 400);
    }
    if (c.req.param('chain') !== 'solana') return c.json([]);
    const origin = new URL(c.req.url).origin;
    return c.json([...new Set(mints)].flatMap((mint) => pairsOf({ mint, market, origin })));
  });
}

import { Hono } from 'hono';
import type { Market } from '../market/market.ts';
import { pairsOf } from './pairs.ts';

const MAX_ADDRESSES = 30;

export function createDexScreenerRoutes({ market }: { market: Market }): Hono {
  return new Hono().get('/tokens/v1/:chain/:addresses', (c) => {
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

import { vi } from 'vitest';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { control } from '../test-app.ts';
import { TOKEN_PROGRAM } from './tokens.ts';

/** Lets Solana know every mint. With a price, DexScreener prices each one's primary pool; otherwise, the pools are the stand-in's. */
export function knowAllMints(price: string | null): void {
  const { fetch } = globalThis;
  const account = { owner: TOKEN_PROGRAM.toBase58(), data: ['', 'base64'], lamports: 1, executable: false };
  const pairOf = (address: string, priceUsd: string) => ({
    chainId: 'solana',
    baseToken: { address, symbol: 'T', name: 'T' },
    quoteToken: { address: WRAPPED_SOL_MINT },
    priceUsd,
    volume: { h24: 1_000_000 },
  });
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (request, init) => {
    const body = typeof init?.body === 'string' ? init.body : '';
    const [, mints] = /\/tokens\/v1\/solana\/(.+)$/.exec(new Request(request).url) ?? [];
    if (price !== null && mints !== undefined) {
      return Response.json(mints.split(',').map((mint) => pairOf(mint, price)));
    }
    if (!body.includes('"getMultipleAccounts"')) return fetch(request, init);
    const { id, params } = JSON.parse(body) as { id: string; params: [string[]] };
    const value = params[0].map(() => ({ ...account, rentEpoch: 0 }));
    return Response.json({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value } });
  });
}

/** Lets Jupiter's token search find these mints. */
export const listTokens = (mints: readonly string[]) =>
  control(
    'POST',
    '/tokens',
    mints.map((mint) => ({ mint, symbol: 'T', name: 'Token', sentUrl: '' })),
  );

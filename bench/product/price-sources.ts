import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SECOND_MS } from '#schema/constants/time.ts';

/** Mocks Jupiter and DexScreener with prices for the sample tokens, which change every few seconds. */
export async function startPriceSources() {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const last = decodeURIComponent(pathname.split('/').at(-1) ?? '');
    const mints = (searchParams.get('ids') ?? searchParams.get('query') ?? last).split(',');
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(pricesOf(pathname, mints)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

function priceOf(mint: string): number {
  const step = Math.floor(Date.now() / (5 * SECOND_MS));
  return 1 + ((mint.charCodeAt(9) * 31 + step * 7) % 97) / 100;
}

function pricesOf(path: string, mints: readonly string[]): unknown {
  if (path.startsWith('/price/')) {
    return Object.fromEntries(mints.map((mint) => [mint, { usdPrice: priceOf(mint), blockId: null }]));
  }
  if (path.startsWith('/tokens/v2/')) {
    return mints.map((id) => ({ id, symbol: 'T', name: 'Token', usdPrice: priceOf(id), liquidity: 1e6 }));
  }
  return mints.map((address) => ({
    chainId: 'solana',
    baseToken: { address, symbol: 'T', name: 'Token' },
    quoteToken: { address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
    priceUsd: String(priceOf(address)),
    priceNative: String(priceOf(address)),
    liquidity: { usd: 1e6, quote: 5e5 },
    volume: { h24: 1e6 },
  }));
}

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createResettableChain, type ResettableChain } from '../stand-ins/chain/resettable-chain.ts';
import { tokenIssuer } from '../stand-ins/market/local-mints.ts';
import { platformAddress, platformKeypair, productVars } from '../local/product-vars.ts';
import { measureBytes } from './measure-bytes.ts';
import { startEnvironment } from '../local/environment.ts';

// Starts a local environment on free ports, prints the worker's variables as one line of JSON, and runs until its
// stdin closes. Its clock moves only on request: `GET /?advance=<ms>` moves it and returns the new time.
// `GET /?reset` resets the clock and empties the chain. `POST /bytes` measures a database.

const dataDir = await mkdtemp(join(tmpdir(), 'solcallers-test-world-'));
const beginning = Date.UTC(2026, 5, 1);
let now = beginning;
let chain: ResettableChain | undefined;
const productUrl = 'https://solcallers.test';
const environment = await startEnvironment({
  dataDir,
  ports: { solana: 0, standIns: 0 },
  productUrl,
  now: () => now,
  liftsRateLimits: true,
  openChain: (options) => (chain = createResettableChain({ ...options, seed: '5eed'.repeat(16) })),
});
environment.chain.airdrop(platformAddress, 1_000_000_000n);
// Waits until the airdrop is finalized, before the first test.
now += 60_000;

const clock = createServer((request, response) => {
  if (request.method === 'POST') {
    void text(request).then((body) => response.end(JSON.stringify(measureBytes(body))));
    return;
  }
  const { searchParams } = new URL(request.url ?? '/', 'http://clock');
  if (searchParams.has('reset')) {
    now = beginning;
    chain?.reset();
  }
  now += Number(searchParams.get('advance') ?? 0);
  response.end(String(now));
});
clock.listen(0, '127.0.0.1');
await once(clock, 'listening');

console.log(
  JSON.stringify({
    ...productVars({ productUrl, environment }),
    // The tests' clock hardly moves, so a test's requests fall into the same minute of the rate limit.
    JUPITER_REQUESTS_PER_SECOND: '100',
    TEST_PLATFORM_SECRET: platformKeypair.secretKey.toString(),
    TEST_ISSUER_SECRET: tokenIssuer.secretKey.toString(),
    TEST_CONTROL_URL: `${environment.standInsUrl}/_control`,
    TEST_CLOCK_URL: `http://127.0.0.1:${(clock.address() as AddressInfo).port}`,
  }),
);

process.stdin.resume();
await once(process.stdin, 'end');
clock.close();
clock.closeAllConnections();
await environment.close();
await rm(dataDir, { recursive: true, force: true });

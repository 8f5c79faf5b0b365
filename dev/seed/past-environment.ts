import { createHash } from 'node:crypto';
import { createChain, type Chain } from '../stand-ins/chain/chain.ts';
import { createRpcApp } from '../stand-ins/chain/rpc-server.ts';
import { localMints } from '../stand-ins/market/local-mints.ts';
import type { Settings } from '../settings.ts';
import { createStandInsApp } from '../stand-ins/stand-ins.ts';
import { FALLBACK_PATH, type EnvironmentUrls } from '../local/environment.ts';

/** Blockhashes and the faucet's key derive from it. */
const CHAIN_SEED = createHash('sha256').update('sample chain').digest('hex');
/** An address for requests that have no connection. */
const NO_CONNECTION = { incoming: { socket: { destroyed: false } } };

interface HistoryOptions {
  readonly settings: Settings;
  /** Unix ms. */
  readonly now: () => number;
}

/**
 * Opens the local environment for one process with a clock of its own: `fetch` reaches the stand-ins without a port. That is
 * several times faster, and the environment's ports needn't be free.
 */
export function openHistoricalEnvironment({
  settings: { dataDir, productUrl, solanaPort, standInsPort },
  now,
}: HistoryOptions): EnvironmentUrls & { readonly chain: Chain; close(): void } {
  const chain = createChain({
    dataDir: `${dataDir}/chain`,
    now,
    genesisAccounts: localMints(),
    seed: CHAIN_SEED,
  });
  const rpc = createRpcApp({ chain });
  const standIns = createStandInsApp({
    now,
    dataDir: `${dataDir}/stand-ins`,
    chain,
    productUrl,
    liftsRateLimits: true,
  });
  const solanaUrl = `http://127.0.0.1:${solanaPort}`;
  const standInsUrl = `http://127.0.0.1:${standInsPort}`;

  globalThis.fetch = async (input, init) => {
    // Nothing here takes real time, so a timeout's signal would only cost time.
    const request = new Request(input, { ...init, signal: null });
    const { origin, host } = new URL(request.url);
    request.headers.set('host', host);
    if (origin === solanaUrl) return rpc.fetch(request, NO_CONNECTION);
    if (origin === standInsUrl) return standIns.app.fetch(request, NO_CONNECTION);
    throw new TypeError(`The past has nothing at ${request.url}`);
  };
  return {
    solanaUrl,
    solanaFallbackUrl: `${solanaUrl}${FALLBACK_PATH}`,
    standInsUrl,
    chain,
    close() {
      standIns.close();
      chain.close();
    },
  };
}

import { createChain, type Chain, type ChainOptions } from '../stand-ins/chain/chain.ts';
import { startChainServer } from '../stand-ins/chain/rpc-server.ts';
import { localMints } from '../stand-ins/market/local-mints.ts';
import { startStandIns } from '../stand-ins/stand-ins.ts';

/** The path of the second endpoint of the local chain. */
export const FALLBACK_PATH = '/fallback';

export interface EnvironmentOptions {
  /** The folder for the chain's ledger and the stand-ins' state. */
  readonly dataDir: string;
  /** The ports; 0 picks a free one. */
  readonly ports: { readonly solana: number; readonly standIns: number };
  readonly productUrl: string;
  /** Unix ms. */
  readonly now: () => number;
  /** Without rate limits of Jupiter and DexScreener, for tests whose clock hardly moves. */
  readonly liftsRateLimits?: boolean;
  readonly openChain?: (options: ChainOptions) => Chain;
}

export interface EnvironmentUrls {
  readonly solanaUrl: string;
  /** A second endpoint of the same chain, with its own faults. */
  readonly solanaFallbackUrl: string;
  readonly standInsUrl: string;
}

export interface Environment extends EnvironmentUrls {
  readonly chain: Chain;
  close(): Promise<void>;
}

/**
 * Starts Solana, X, Telegram, Jupiter and DexScreener on this machine. Rejects with EADDRINUSE when a port is
 * taken.
 */
export async function startEnvironment({
  dataDir,
  ports,
  productUrl,
  now,
  liftsRateLimits = false,
  openChain = createChain,
}: EnvironmentOptions): Promise<Environment> {
  const chain = openChain({ dataDir: `${dataDir}/chain`, now, genesisAccounts: localMints() });
  const standIns = await startStandIns({
    port: ports.standIns,
    now,
    dataDir: `${dataDir}/stand-ins`,
    chain,
    productUrl,
    liftsRateLimits,
  });
  const chainServer = await startChainServer({
    chain,
    port: ports.solana,
    fault: ({ method, path }) =>
      standIns.fault(path.startsWith(FALLBACK_PATH) ? 'solana-fallback' : 'solana-primary', { path: method }),
  });
  return {
    chain,
    solanaUrl: chainServer.url,
    solanaFallbackUrl: `${chainServer.url}${FALLBACK_PATH}`,
    standInsUrl: standIns.url,
    async close() {
      await Promise.all([chainServer.close(), standIns.close()]);
      chain.close();
    },
  };
}

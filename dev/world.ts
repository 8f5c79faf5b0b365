import { createChain, type Chain, type ChainOptions } from './chain/chain.ts';
import { startChainServer } from './chain/rpc-server.ts';
import { startStandIns } from './stand-ins.ts';

export interface WorldOptions {
  /** Where the chain's ledger and the stand-ins' state are kept. */
  readonly dataDir: string;
  /** 0 takes free ones. */
  readonly ports: { readonly solana: number; readonly standIns: number };
  readonly productUrl: string;
  /** The world's time, unix ms. */
  readonly now: () => number;
  /** Default: `createChain`. */
  readonly openChain?: (options: ChainOptions) => Chain;
}

/** The running stand-ins for everything outside the product. */
export interface World {
  readonly chain: Chain;
  readonly solanaUrl: string;
  readonly standInsUrl: string;
  close(): Promise<void>;
}

/** Starts Solana, X, Telegram, Jupiter and DexScreener on this machine. Rejects with EADDRINUSE when a port is taken. */
export async function startWorld({ dataDir, ports, productUrl, now, openChain = createChain }: WorldOptions): Promise<World> {
  const chain = openChain({ dataDir: `${dataDir}/chain`, now });
  const standIns = await startStandIns({ port: ports.standIns, now, dataDir: `${dataDir}/stand-ins`, chain, productUrl });
  const chainServer = await startChainServer({ chain, port: ports.solana, fault: (method) => standIns.fault('solana', { path: method }) });
  return {
    chain,
    solanaUrl: chainServer.url,
    standInsUrl: standIns.url,
    async close() {
      await Promise.all([chainServer.close(), standIns.close()]);
      chain.close();
    },
  };
}

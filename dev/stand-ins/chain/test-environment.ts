import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import type { Signer, TransactionInstruction } from '@solana/web3.js';
import { onTestFinished } from 'vitest';
import { createChain } from './chain.ts';
import type { Chain, ChainOptions } from './chain.ts';
import { createRpcLimits, type RpcLimits } from './rpc-limits.ts';
import { SLOT_MS } from './slot-clock.ts';
import { startChainServer } from './rpc-server.ts';
import type { ChainServer, ChainServerOptions } from './rpc-server.ts';

export const SOL = 1_000_000_000n;
export const START = Date.UTC(2026, 0, 15);
export const SLOT = SLOT_MS;
export const FINALITY = 32 * SLOT;

export interface TestChain {
  chain: Chain;
  dataDir: string;
  advance(ms: number): void;
  /** Closes the chain and reopens it from its ledger. */
  reopen(): Chain;
}

/** Opens a chain in its own folder. Its clock only moves with `advance`. */
export function openTestChain(options: Partial<ChainOptions> = {}): TestChain {
  const dataDir = mkdtempSync(join(tmpdir(), 'chain-'));
  let time = START;
  const open = () => createChain({ dataDir, now: () => time, ...options });
  const environment: TestChain = {
    chain: open(),
    dataDir,
    advance: (ms) => {
      time += ms;
    },
    reopen() {
      environment.chain.close();
      environment.chain = open();
      return environment.chain;
    },
  };
  onTestFinished(() => {
    environment.chain.close();
    rmSync(dataDir, { recursive: true });
  });
  return environment;
}

export async function serveTestChain(
  chain: Chain,
  options: Partial<ChainServerOptions> = {},
): Promise<ChainServer> {
  const server = await startChainServer({ chain, port: 0, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** Accepts batches and lists of any length, up to the methods' own limits. */
export const paidPlan = (): RpcLimits =>
  createRpcLimits({ acceptsBatches: true, maxItems: Number.POSITIVE_INFINITY });

export function send(url: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(url, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export const post = async (url: string, body: unknown): Promise<unknown> => (await send(url, body)).json();

export const requestOf = (method: string, params: readonly unknown[] = []) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});

export interface RpcResponse {
  // Each method has its own result type.
  // oxlint-disable-next-line typescript/no-explicit-any
  result?: any;
  // oxlint-disable-next-line typescript/no-explicit-any
  error?: { code: number; message: string; data?: any };
}

export async function call(url: string, method: string, ...params: unknown[]): Promise<RpcResponse> {
  return (await post(url, requestOf(method, params))) as RpcResponse;
}

export function fund(chain: Chain, lamports = 10n * SOL): Keypair {
  const keypair = Keypair.generate();
  chain.airdrop(keypair.publicKey.toBase58(), lamports);
  return keypair;
}

/** Makes a signed legacy transaction. The first signer pays the fee. */
export function sign(
  chain: Chain,
  signers: [Signer, ...Signer[]],
  ...instructions: TransactionInstruction[]
): Buffer {
  const { blockhash } = chain.latestBlockhash();
  const transaction = new Transaction({ feePayer: signers[0].publicKey, recentBlockhash: blockhash });
  transaction.add(...instructions).sign(...signers);
  return transaction.serialize({ verifySignatures: false });
}

export function transfer(chain: Chain, from: Keypair, to: Keypair, lamports: bigint): Buffer {
  const addresses = { fromPubkey: from.publicKey, toPubkey: to.publicKey };
  return sign(chain, [from], SystemProgram.transfer({ ...addresses, lamports }));
}

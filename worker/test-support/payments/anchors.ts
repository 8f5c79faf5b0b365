import { createAnchorWallet } from '../../modules/log/anchor-wallet.ts';
import { LAMPORTS, rpc, toBase64 } from './chain.ts';
import { query } from '../database/database.ts';
import type { TestApp } from '../test-app.ts';

const FINALIZES_MS = 30_000;

/** Creates the key of a new wallet. Each test needs its own, because the tests share the chain. */
export const createAnchorKey = (): string => toBase64(crypto.getRandomValues(new Uint8Array(32)));

export const rootOf = (size: number): string =>
  btoa(`the root of ${size} entries`.padEnd(32, '.').slice(0, 32));

/** Stores a checkpoint as the sequencer does. */
export async function addCheckpoint(app: TestApp, size: number): Promise<void> {
  await query(
    `INSERT INTO log_checkpoints (size, previous_size, root, note, at)
     SELECT ?, COALESCE(MAX(size), 0), ?, 'a note', ? FROM log_checkpoints`,
    size,
    rootOf(size),
    app.clock.now(),
  );
}

interface KnownAnchor {
  readonly size: number;
  readonly root: string;
  readonly signature: string;
  readonly block_time: number;
}

/** The finalized anchors, newest first. */
export const readAnchors = () =>
  query<KnownAnchor>(
    `SELECT size, root, signature, block_time FROM log_anchors
     WHERE finalized_at IS NOT NULL ORDER BY size DESC, created_at DESC`,
  );

interface Funding {
  /** The key of the anchor wallet. */
  readonly key: string;
  readonly sol?: number;
}

/** Returns the wallet's address. */
export async function fundAnchors(app: TestApp, { key, sol = 1 }: Funding): Promise<string> {
  const address = createAnchorWallet(key).address();
  await rpc('requestAirdrop', address, Math.round(sol * LAMPORTS));
  await app.advance(FINALIZES_MS);
  return address;
}

interface Memo {
  readonly signature: string;
  readonly memo: string | null;
  readonly err: unknown;
  /** Unix seconds. */
  readonly blockTime: number;
}

/** The anchors on the chain, newest first. */
export async function listMemos(address: string): Promise<Memo[]> {
  const found = await rpc<Memo[]>('getSignaturesForAddress', address, {
    limit: 1_000,
    commitment: 'confirmed',
  });
  return found.filter(({ memo }) => memo !== null);
}

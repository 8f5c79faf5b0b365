import type { LogAnchors } from '#schema/contracts/log.ts';
import { readResponse } from '../responses.ts';
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

export async function readAnchors(app: TestApp): Promise<LogAnchors> {
  return readResponse<LogAnchors>(app.request('/log/anchors'));
}

export async function fundAnchors(app: TestApp, sol = 1): Promise<string> {
  const { address } = await readAnchors(app);
  await rpc('requestAirdrop', address, Math.round(sol * LAMPORTS));
  await app.advance(FINALIZES_MS);
  return address;
}

interface Memo {
  readonly signature: string;
  readonly memo: string | null;
  readonly err: unknown;
}

/** The anchors on the chain, newest first. */
export async function listMemos(address: string): Promise<Memo[]> {
  const found = await rpc<Memo[]>('getSignaturesForAddress', address, {
    limit: 1_000,
    commitment: 'confirmed',
  });
  return found.filter(({ memo }) => memo !== null);
}

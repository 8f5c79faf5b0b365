import type { Verdict, VerifyOptions } from './options.ts';

export type {
  Failure,
  Leaderboard,
  Progress,
  Question,
  Reason,
  Target,
  Verdict,
  VerifyOptions,
} from './options.ts';
export type { CallRpc, Store } from './store.ts';

/**
 * Verifies one caller, a list of the directory, or everything. Problems are in the verdict; throws only on errors of
 * its own, or when aborted.
 */
export function verify(options: VerifyOptions): Promise<Verdict> {
  return Promise.reject(new Error(`Not written yet: ${options.target.kind}`));
}

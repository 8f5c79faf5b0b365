import { verifyRecord, type RecordVerdict } from '#verify/record.ts';
import type { OnProgress } from '#verify/report.ts';
import { createLogSource, logStore } from './log-source.ts';

export interface CheckRun {
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}

export interface CheckedRecord extends RecordVerdict {
  /** The data on which the check is based, for the saved report. */
  readonly evidence: {
    readonly checkedAt: string;
    readonly seenBefore: string | null;
    readonly responses: Readonly<Record<string, string>>;
  };
}

export type Outcome = 'verified' | 'refuted' | 'empty' | 'unknown';

type Judged = Pick<RecordVerdict, 'failures' | 'entries' | 'isPostponed'>;

/**
 * Decides the outcome. A site that doesn't respond, or figures that weren't compared, prove nothing; any
 * other failure is a verdict.
 */
export function outcomeOf({ failures, entries, isPostponed }: Judged): Outcome {
  if (failures.some(({ reason }) => reason !== 'unavailable')) return 'refuted';
  if (failures.length > 0 || isPostponed) return 'unknown';
  return entries === 0 ? 'empty' : 'verified';
}

interface RecordToCheck extends CheckRun {
  /** The caller's id or handle. */
  readonly caller: string;
  readonly receipt?: string | undefined;
}

/** Checks a caller's record with the log's verifier. Throws if the browser can't, or if it's aborted. */
export async function checkRecord({
  caller,
  receipt,
  signal,
  onProgress,
}: RecordToCheck): Promise<CheckedRecord> {
  const responses = new Map<string, string>();
  const seenBefore = logStore.read();
  const now = Date.now();
  const verdict = await verifyRecord({
    handle: caller,
    source: createLogSource({ signal, responses }),
    store: logStore,
    now,
    onProgress,
    ...(receipt !== undefined && { receipt }),
  });
  const checkedAt = new Date(now).toISOString();
  return { ...verdict, evidence: { checkedAt, seenBefore, responses: Object.fromEntries(responses) } };
}

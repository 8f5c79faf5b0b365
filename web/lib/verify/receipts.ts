import { attempt, pageStorage } from '#web/lib/browser/page-storage.ts';

const KEY = 'solcallers.receipts';
const MAX_KEPT = 200;

export interface SavedReceipt {
  readonly callId: string;
  readonly event: 'Opened' | 'Updated' | 'Ended';
  /** A signed note (docs/SEALED-CALLS.md). */
  readonly note: string;
}

const readAll = (): SavedReceipt[] =>
  attempt(() => JSON.parse(pageStorage.getItem(KEY) ?? '[]') as SavedReceipt[]) ?? [];

/** Stores the newest receipts in this browser. */
export function saveReceipt({
  note,
  ...receipt
}: Omit<SavedReceipt, 'note'> & { note?: string | null }): void {
  if (note == null) return;
  const saved = [...readAll(), { ...receipt, note }].slice(-MAX_KEPT);
  attempt(() => pageStorage.setItem(KEY, JSON.stringify(saved)));
}

/** Returns the stored receipts of a call, oldest first. */
export const receiptsOf = (callId: string): SavedReceipt[] =>
  readAll().filter((receipt) => receipt.callId === callId);

/** Reads a number from a receipt: the index of its entry in the log, or its time in unix ms. */
export const readReceiptNumber = (note: string, line: 'entry' | 'time'): number =>
  Number(new RegExp(`^${line} (\\d+)$`, 'm').exec(note)?.[1]);

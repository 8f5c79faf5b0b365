import { ID_PATTERN } from '../../../shared/ids.ts';
import type { UnreadEntry, UnreadRow } from './unread.repository.ts';

const INTENT_ID = RegExp(`\\b${ID_PATTERN}\\b`, 'g');
/** At most this many ids in a memo are read. Our own transactions name one intent. */
const MAX_NAMED = 5;

/** The ids that may be intents in a transaction's memos, such as "[20] 1b4e28ba2fa111d2883f". */
export function namedIntents(memo: string | null): readonly string[] {
  return [...new Set(memo?.match(INTENT_ID))].slice(0, MAX_NAMED);
}

interface PlanOptions {
  readonly rows: readonly UnreadRow[];
  /** By intent id: how many of its transactions may still be read with priority. Other intents have none. */
  readonly readsLeft: ReadonlyMap<string, number>;
  readonly limits: { readonly priority: number; readonly others: number };
}

/** Chooses the oldest transactions that name an intent with priority, and the oldest of the others. */
export function planReads({ rows, readsLeft, limits }: PlanOptions) {
  const left = new Map(readsLeft);
  const priority = new Map<string, string>();
  const others = new Set<string>();
  for (const [signature, ...intentIds] of rows.flatMap(({ entries }) => entries)) {
    const intentId = intentIds.find((id) => (left.get(id) ?? 0) > 0);
    if (intentId === undefined) {
      if (others.size < limits.others) others.add(signature);
    } else if (priority.size < limits.priority) {
      left.set(intentId, (left.get(intentId) ?? 0) - 1);
      priority.set(signature, intentId);
    }
  }
  return { priority, others };
}

export function withPriority(
  [signature, ...intentIds]: UnreadEntry,
  readsLeft: ReadonlyMap<string, number>,
): UnreadEntry {
  return [signature, ...intentIds.filter((id) => readsLeft.has(id))];
}

import type { SenderOptions } from './sender-options.ts';

/**
 * Returns a function that saves the delivery counts that callers see, saves failures and alerts the operators,
 * then closes finished events.
 */
export function createCloseEvents({ store, repository, alarmOperators, clock }: SenderOptions) {
  return async (changed: Set<string>): Promise<void> => {
    const now = clock.now();
    const closing = store.listClosing(now);
    const closingIds = closing.map(({ id }) => id);
    const counts = store.listCounts({ ids: [...changed, ...closingIds], now });
    changed.clear();
    if (counts.length > 0) await repository.writeCounts?.(counts);
    const failed = closing.filter(({ isGivenUp }) => isGivenUp === 1);
    const [first] = failed;
    if (first) await repository.writeFailures?.({ events: failed, now });
    store.close({ ids: closingIds, now });
    if (first) {
      const messages = failed.reduce((sum, { unsent }) => sum + unsent, 0);
      const details = { events: failed.length, messages, first: first.id, error: first.error };
      await alarmOperators({ kind: 'notifications.failed', details });
    }
  };
}

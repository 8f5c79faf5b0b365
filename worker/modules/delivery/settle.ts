import type { Clock } from '../../ports/clock.ts';
import type { Alarm } from '../../shared/alarms.ts';
import type { DeliveriesRepository } from './deliveries.repository.ts';
import type { OutboxStore } from './outbox.ts';

export interface SettleOptions {
  readonly store: OutboxStore;
  readonly repository: DeliveriesRepository;
  readonly alarmOperators: (alarm: Alarm) => Promise<void>;
  readonly clock: Clock;
}

/** Writes counts for callers and failures for operators, then closes events with nothing left to send. */
export function createSettle({ store, repository, alarmOperators, clock }: SettleOptions) {
  return async (changed: Set<string>): Promise<void> => {
    const now = clock.now();
    const closing = store.listClosing(now);
    const closingIds = closing.map(({ id }) => id);
    const counts = store.listCounts({ ids: [...changed, ...closingIds], now });
    changed.clear();
    if (counts.length > 0) await repository.writeCounts(counts);
    const failed = closing.filter(({ isGivenUp }) => isGivenUp === 1);
    const [first] = failed;
    if (first) {
      await repository.writeFailures({ events: failed, now });
      const messages = failed.reduce((sum, { unsent }) => sum + unsent, 0);
      const details = { events: failed.length, messages, first: first.id, error: first.error };
      await alarmOperators({ kind: 'notifications.failed', details });
    }
    store.close({ ids: closingIds, now });
  };
}

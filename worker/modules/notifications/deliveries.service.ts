import {
  BROADCASTS_PER_SECOND,
  DELIVERIES_KEPT_MS,
  DELIVERY_LEASE_MS,
  NOTICES_PER_SECOND,
  SECOND_MS,
} from '#schema/constants.ts';
import type { Delivery } from './deliveries.repository.ts';
import { createDeliveryPlans, type DeliveryPlansOptions } from './delivery-plans.ts';
import type { Letter } from './letters.ts';
import type { NotificationMessage } from './notification-message.ts';
import { createPacer } from './pacer.ts';
import { retryLetter, sendClaimed, type SendingOptions, type Task } from './sending.ts';

/** More than the bot can send from one run of the cron to the next. */
const PURGED_PER_RUN = 5_000;

export type DeliveriesOptions = SendingOptions & DeliveryPlansOptions;

/** The one way from a queue into a chat. */
export function createDeliveriesService({ repository, messenger, clock, ...sources }: DeliveriesOptions) {
  const pacers = {
    notifications: createPacer({ clock, perSecond: BROADCASTS_PER_SECOND }),
    notices: createPacer({ clock, perSecond: NOTICES_PER_SECOND }),
  };
  const planBatch = createDeliveryPlans({ repository, ...sources });

  /** What each letter comes to. One that comes to nothing is done, and so is one that stands beside its double. */
  const planTasks = async (letters: readonly Letter<NotificationMessage>[]): Promise<Task[]> => {
    const planOf = planBatch(letters.map(({ body }) => body));
    const tasks = new Map<string, Task>();
    await Promise.all(
      letters.map(async (letter) => {
        try {
          const plan = await planOf(letter.body);
          if (plan && !tasks.has(keyOf(plan))) tasks.set(keyOf(plan), { ...plan, letter });
          else letter.done();
        } catch (error) {
          console.warn(
            JSON.stringify({
              event: 'notification.failed',
              ...letter.body,
              attempts: letter.attempts,
              error: String(error),
            }),
          );
          await retryLetter({ letter, now: clock.now() });
        }
      }),
    );
    return [...tasks.values()];
  };

  /** Begins what nobody else has begun. What somebody else is at comes back when that must be over. */
  const claim = async ({ tasks, now }: { tasks: readonly Task[]; now: number }): Promise<Task[]> => {
    const ours = new Set((await repository.claim({ deliveries: tasks.map(deliveryOf), now })).map(keyOf));
    const others = tasks.filter((task) => !ours.has(keyOf(task)));
    const claims = new Map(
      others.length === 0
        ? []
        : (await repository.listClaims(others.map(deliveryOf))).map((other) => [keyOf(other), other]),
    );
    await Promise.all(
      others.map((task) => {
        const other = claims.get(keyOf(task));
        if (other && other.outcome !== null) return task.letter.done();
        return task.letter.retry(
          Math.max(1, Math.ceil(((other?.claimedAt ?? now) + DELIVERY_LEASE_MS - now) / SECOND_MS)),
        );
      }),
    );
    return tasks.filter((task) => ours.has(keyOf(task)));
  };

  return {
    /**
     * Tells people, at the pace of their queue, unless there is nothing to tell them any more or they were told already. At
     * least once: a delivery whose end nobody saw is made again after the lease. Decides about every letter.
     */
    async deliver({
      queue,
      letters,
    }: {
      queue: keyof typeof pacers;
      letters: readonly Letter<NotificationMessage>[];
    }): Promise<void> {
      if (letters.length === 0) return;
      const startedAt = clock.now();
      const tasks = await planTasks(letters);
      if (tasks.length === 0) return;
      const claimedAt = clock.now();
      const claimed = await claim({ tasks, now: claimedAt }).catch(async (error: unknown) => {
        console.warn(
          JSON.stringify({
            event: 'notification.unclaimed',
            queue,
            letters: tasks.length,
            error: String(error),
          }),
        );
        await Promise.all(tasks.map(({ letter }) => retryLetter({ letter, now: clock.now() })));
        return [];
      });
      if (claimed.length === 0) return;
      const counts = await sendClaimed({
        tasks: claimed,
        plannedAt: claimedAt,
        claimedAt,
        planBatch,
        line: pacers[queue].openLine(),
        repository,
        messenger,
        clock,
      });
      console.log(
        JSON.stringify({
          event: 'notifications.sent',
          queue,
          letters: letters.length,
          ...counts,
          durationMs: clock.now() - startedAt,
        }),
      );
    },

    /** Forgets what no queue can bring again. The counters of events stay. Returns how many deliveries that were. */
    purge: () => repository.purge({ until: clock.now() - DELIVERIES_KEPT_MS, limit: PURGED_PER_RUN }),
  };
}

const deliveryOf = ({ eventId, chatId }: Delivery): Delivery => ({ eventId, chatId });

function keyOf({ eventId, chatId }: Delivery): string {
  return `${eventId} ${chatId}`;
}

import { DELIVERY_LEASE_MS, NOTICE_LIFETIME_MS, NOTIFICATION_LIFETIME_MS, SECOND_MS } from '#schema/constants.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Messenger } from '../../ports/messenger.ts';
import { isBotLimited } from './bot-limit.ts';
import type { DeliveriesRepository, Outcome } from './deliveries.repository.ts';
import type { Plan } from './delivery-plans.ts';
import { retryDelay, retryOrGiveUp, type Letter } from './letters.ts';
import type { NotificationMessage } from './notification-message.ts';
import type { Line } from './pacer.ts';

/** So many requests may wait for their answers in one run of a worker; the platform lets a seventh wait for its turn. */
const SENDS_IN_FLIGHT = 6;
/** Behind it a claim may run out while Telegram is still asked. */
const CLAIM_FRESH_MS = DELIVERY_LEASE_MS / 2;

/** A claimed delivery: the letter that it is made for, the chat that it goes into, and what it says. */
export interface Task extends Plan {
  readonly letter: Letter<NotificationMessage>;
}

export interface SendingOptions {
  readonly repository: DeliveriesRepository;
  readonly messenger: Messenger;
  readonly clock: Clock;
}

/**
 * Sends what is claimed, several at once at the pace of the line, writes down what became of each as soon as it is known, and
 * gives back what was not sent. A refusal is one chat's, and the others go on, until most answers are refusals: that limit is
 * the bot's, and the rest waits unasked as long as Telegram says.
 */
export async function sendClaimed({ tasks, line, repository, messenger, clock }: SendingOptions & { tasks: readonly Task[]; line: Line }) {
  const claimedAt = clock.now();
  const counts = { delivered: 0, unreachable: 0, rateLimited: 0, failed: 0, postponed: 0 };
  const refusals: boolean[] = [];
  let longestWait = 0;
  const unsent: { task: Task; delaySeconds: number }[] = [];

  const warn = (event: string, { letter, error }: { letter: Task['letter']; error: unknown }) =>
    console.warn(JSON.stringify({ event, ...letter.body, attempts: letter.attempts, error: String(error) }));

  const conclude = async ({ task, outcome }: { task: Task; outcome: Outcome }) => {
    const { eventId, chatId, letter } = task;
    counts[outcome] += 1;
    const record = () => repository.record({ eventId, chatId, outcome, now: clock.now() });
    try {
      // Without its outcome a message is sent twice: that is worth a second try.
      await record().catch(record);
      if (outcome === 'failed') await letter.giveUp();
      else letter.done();
    } catch (error) {
      warn('notification.unrecorded', { letter, error });
      // The claim stays, so that nobody sends this again while it may still be written down.
      letter.retry(DELIVERY_LEASE_MS / SECOND_MS);
    }
  };

  const fail = async ({ task, delaySeconds }: { task: Task; delaySeconds: number }) => {
    if (clock.now() - task.letter.sentAt < lifetimeOf(task.letter.body)) unsent.push({ task, delaySeconds });
    else await conclude({ task, outcome: 'failed' });
  };

  const send = async (task: Task) => {
    try {
      const result = await messenger.send(task);
      refusals.push(result.status === 'rate_limited');
      if (result.status !== 'rate_limited') return await conclude({ task, outcome: result.status === 'sent' ? 'delivered' : 'unreachable' });
      line.giveBack();
      counts.rateLimited += 1;
      longestWait = Math.max(longestWait, result.retryAfterSeconds);
      return await fail({ task, delaySeconds: result.retryAfterSeconds });
    } catch (error) {
      refusals.push(false);
      warn('notification.failed', { letter: task.letter, error });
      return fail({ task, delaySeconds: retryDelay(task.letter.attempts) });
    }
  };

  const mayGoOn = () => !isBotLimited(refusals) && clock.now() - claimedAt < CLAIM_FRESH_MS;
  const postpone = (task: Task) => {
    counts.postponed += 1;
    unsent.push({ task, delaySeconds: isBotLimited(refusals) ? longestWait : 0 });
  };
  const waiting = tasks.values();
  const sendOneByOne = async () => {
    for (const task of waiting) {
      if (mayGoOn()) await line.take();
      if (mayGoOn()) await send(task);
      else postpone(task);
    }
  };
  await Promise.all(Array.from({ length: SENDS_IN_FLIGHT }, sendOneByOne));

  if (unsent.length > 0) {
    // What could not be given back waits for the end of its lease.
    await repository.release(unsent.map(({ task }) => task)).catch((error: unknown) => console.warn(JSON.stringify({ event: 'notification.unreleased', error: String(error) })));
    for (const { task, delaySeconds } of unsent) task.letter.retry(delaySeconds);
  }
  return counts;
}

/** How long a message that fails is tried again. */
function lifetimeOf({ kind }: NotificationMessage): number {
  return kind === 'call_event' ? NOTIFICATION_LIFETIME_MS : NOTICE_LIFETIME_MS;
}

/** Tries a letter again that failed before anything was claimed for it. */
export function retryLetter({ letter, now }: { letter: Letter<NotificationMessage>; now: number }): Promise<void> {
  return retryOrGiveUp({ letter, now, lifetimeMs: lifetimeOf(letter.body) });
}

import {
  DELIVERY_LEASE_MS,
  NOTICE_LIFETIME_MS,
  NOTIFICATION_LIFETIME_MS,
  SECOND_MS,
} from '#schema/constants.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Messenger } from '../../ports/messenger.ts';
import { isBotLimited } from './bot-limit.ts';
import type { DeliveriesRepository, Outcome } from './deliveries.repository.ts';
import type { Plan, PlanBatch } from './delivery-plans.ts';
import { createFreshPlans } from './fresh-plans.ts';
import { inLifetime, retryDelay, retryOrGiveUp, unansweredDelay, type Letter } from './letters.ts';
import type { NotificationMessage } from './notification-message.ts';
import type { Line } from './pacer.ts';

/** So many requests may wait for their answers in one run of a worker; the platform lets a seventh wait for its turn. */
const SENDS_IN_FLIGHT = 6;
/**
 * Behind it a claim may run out while Telegram is still asked. Of the lease's 60 s, what begins within 30 s and takes all of
 * Telegram's 25 s leaves 5 s to write its outcome down.
 */
export const CLAIM_FRESH_MS = DELIVERY_LEASE_MS / 2;

/** A claimed delivery: the letter that it is made for, the chat that it goes into, and what it says. */
export interface Task extends Plan {
  readonly letter: Letter<NotificationMessage>;
}

export interface SendingOptions {
  readonly repository: DeliveriesRepository;
  readonly messenger: Messenger;
  readonly clock: Clock;
}

export interface Batch {
  readonly tasks: readonly Task[];
  /** When it was known what they come to, and when they were claimed; unix ms. */
  readonly plannedAt: number;
  readonly claimedAt: number;
  readonly planBatch: PlanBatch;
  readonly line: Line;
}

/**
 * Sends what is claimed, several at once at the pace of the line, writes down what became of each as soon as it is known, and
 * gives back what was not sent. What was planned holds for a second: then all that is left is asked anew. A refusal is one
 * chat's, and the others go on, until most answers are refusals: that limit is the bot's, and the rest waits unasked as long as
 * Telegram says.
 */
export async function sendClaimed({
  tasks,
  plannedAt,
  claimedAt,
  planBatch,
  line,
  repository,
  messenger,
  clock,
}: SendingOptions & Batch) {
  const counts = { delivered: 0, unreachable: 0, rateLimited: 0, failed: 0, postponed: 0, unwanted: 0 };
  const refusals: boolean[] = [];
  let longestWait = 0;
  const left = new Set(tasks);
  const plans = createFreshPlans({ tasks, plannedAt, planBatch, clock });
  /** What becomes of a letter once its claim is given back. */
  const unsent: { task: Task; decide: () => void | Promise<void> }[] = [];

  const warn = (event: string, { letter, error }: { letter: Task['letter']; error: unknown }) =>
    console.warn(JSON.stringify({ event, ...letter.body, attempts: letter.attempts, error: String(error) }));
  const leftMsOf = ({ letter }: Task) => letter.since + lifetimeOf(letter.body) - clock.now();
  const tryAgain = (task: Task, delaySeconds: number) =>
    void unsent.push({ task, decide: () => task.letter.retry(delaySeconds) });

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
      await letter.retry(DELIVERY_LEASE_MS / SECOND_MS);
    }
  };

  const fail = async ({ task, delaySeconds }: { task: Task; delaySeconds: number }) => {
    if (leftMsOf(task) > 0) tryAgain(task, delaySeconds);
    else await conclude({ task, outcome: 'failed' });
  };
  const failFor = ({
    task,
    error,
    delayOf,
  }: {
    task: Task;
    error: unknown;
    delayOf: (attempts: number) => number;
  }) => {
    warn('notification.failed', { letter: task.letter, error });
    return fail({
      task,
      delaySeconds: inLifetime({ delaySeconds: delayOf(task.letter.attempts), leftMs: leftMsOf(task) }),
    });
  };

  const send = async ({ task, text }: { task: Task; text: string }) => {
    try {
      const result = await messenger.send({ chatId: task.chatId, text });
      refusals.push(result.status === 'rate_limited');
      if (result.status === 'unanswered') {
        return await failFor({ task, error: result.cause, delayOf: unansweredDelay });
      }
      if (result.status !== 'rate_limited') {
        return await conclude({ task, outcome: result.status === 'sent' ? 'delivered' : 'unreachable' });
      }
      line.giveBack();
      counts.rateLimited += 1;
      longestWait = Math.max(longestWait, result.retryAfterSeconds);
      return await fail({ task, delaySeconds: result.retryAfterSeconds });
    } catch (error) {
      refusals.push(false);
      return failFor({ task, error, delayOf: retryDelay });
    }
  };

  /** Sends what a task comes to by now. Who has another chat since then is told there by the next attempt, which claims that one. */
  const sendPlanned = async (task: Task) => {
    let plan: Plan | null;
    try {
      plan = plans.planOf(task);
    } catch (error) {
      line.giveBack();
      return failFor({ task, error, delayOf: retryDelay });
    }
    if (plan?.chatId === task.chatId) return send({ task, text: plan.text });
    line.giveBack();
    counts.unwanted += 1;
    if (plan) tryAgain(task, 0);
    else unsent.push({ task, decide: () => task.letter.done() });
  };

  const mayGoOn = () => !isBotLimited(refusals) && clock.now() - claimedAt < CLAIM_FRESH_MS;
  const postpone = (task: Task) => {
    counts.postponed += 1;
    tryAgain(task, isBotLimited(refusals) ? longestWait : 0);
  };
  const takeNextTurn = async () => {
    if (mayGoOn()) await line.take();
    if (!mayGoOn() || !plans.isStale()) return;
    line.giveBack();
    await plans.renew([...left]);
    await line.take();
  };
  let last = Promise.resolve();
  /** One after another, so that no turns pile up while it is asked anew. */
  const takeTurn = () => (last = last.then(takeNextTurn));
  const waiting = tasks.values();
  const sendOneByOne = async () => {
    for (const task of waiting) {
      const isTooOld = leftMsOf(task) <= 0;
      if (!isTooOld) await takeTurn();
      left.delete(task);
      if (!mayGoOn()) postpone(task);
      else if (isTooOld) await conclude({ task, outcome: 'failed' });
      else await sendPlanned(task);
    }
  };
  await Promise.all(Array.from({ length: SENDS_IN_FLIGHT }, sendOneByOne));

  if (unsent.length > 0) {
    // What could not be given back waits for the end of its lease.
    await repository
      .release(unsent.map(({ task }) => task))
      .catch((error: unknown) =>
        console.warn(JSON.stringify({ event: 'notification.unreleased', error: String(error) })),
      );
    await Promise.all(unsent.map(({ decide }) => decide()));
  }
  return counts;
}

/** How long a message is tried. */
function lifetimeOf({ kind }: NotificationMessage): number {
  return kind === 'call_event' ? NOTIFICATION_LIFETIME_MS : NOTICE_LIFETIME_MS;
}

/** Tries a letter again that failed before anything was claimed for it. */
export function retryLetter({
  letter,
  now,
}: {
  letter: Letter<NotificationMessage>;
  now: number;
}): Promise<void> {
  return retryOrGiveUp({ letter, now, lifetimeMs: lifetimeOf(letter.body) });
}

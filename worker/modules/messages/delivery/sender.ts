import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { ChannelOutbox } from '../../../ports/outbox.ts';
import { createArrivals } from './arrivals.ts';
import { createAttempts } from './attempts.ts';
import { createBotLimit } from './bot-limit.ts';
import type { DueMessage } from './outbox.repository.ts';
import { createPacer } from './pacer.ts';
import { prepareBatch } from './prepare-batch.ts';
import type { SenderOptions } from './sender-options.ts';
import { createCloseEvents } from './close-events.ts';
import { createTakeBatch } from './take-batch.ts';
import { describeError } from '../../../shared/describe-error.ts';

/** The maximum age of chat, settings and entitlement when a message is sent. */
const FRESH_MS = SECOND_MS;
/** Keeps a run well within the platform's limit of 15 minutes. */
const RUN_MS = 20 * SECOND_MS;
/** D1 allows 1,000 queries per run. A message may need five, and an event without recipients two. The next run follows at once. */
export const MESSAGES_PER_RUN = 150;
/** The alarm set at a run's start. It fires only if the process dies, because the run's end replaces it. */
const RECOVERY_MS = SECOND_MS;
const HELD_MS = MINUTE_MS;
const PAUSE_MS = 10 * SECOND_MS;

export interface Sender extends ChannelOutbox {
  /** Sends due messages, for at most about 20 s, and sets the next alarm. Never throws. */
  run(): Promise<void>;
  idle(): Promise<unknown>;
}

/** Sends stored messages at the bot's rate, round-robin across events. After a crash, unrecorded sends are repeated. */
export function createSender(options: SenderOptions): Sender {
  const { store, setAlarm, isPostingPaused, clock } = options;
  const pacer = createPacer({ clock, perSecond: options.perSecond });
  const botLimit = createBotLimit();
  const eventsToRecount = new Set<string>();
  let isRunning = false;
  let [pausedUntil, heldUntil] = [0, 0];
  const added = createArrivals();
  const pause = (milliseconds: number) => {
    pausedUntil = Math.max(pausedUntil, clock.now() + milliseconds);
  };
  const attempts = createAttempts({ ...options, pacer, botLimit, pause });
  const { start, holdBack, waitForSlot, retryLater, measure, inFlight } = attempts;
  const [takeBatch, closeEvents] = [createTakeBatch(options), createCloseEvents(options)];
  const armAlarm = async (notBefore = 0) => {
    const dueAt = store.nextDueAt();
    await setAlarm(dueAt === null ? null : Math.max(dueAt, pausedUntil, notBefore, clock.now()));
  };
  const startWith = async (storeEvents: () => void) => {
    storeEvents();
    added.note();
    await armAlarm();
  };
  /** Sends a batch, but stops once the data read for it is over a second old. The unsent messages stay due. */
  const sendBatch = async (batch: readonly DueMessage[]): Promise<void> => {
    const prepared = await prepareBatch(batch, options);
    const freshUntil = clock.now() + FRESH_MS;
    for (const [index, message] of batch.entries()) {
      const result = prepared[index];
      if (result?.status !== 'fulfilled') retryLater(message, { error: result?.reason });
      else if (result.value === null) store.record(message, 'unwanted');
      else if (!holdBack(message, result.value)) {
        await waitForSlot();
        await pacer.take();
        const now = clock.now();
        if (now >= freshUntil || now < pausedUntil || (added.hasAny() && index > 0)) return pacer.giveBack();
        start(message, result.value);
      }
    }
  };

  const sendUntil = async (endsAt: number): Promise<void> => {
    let left = MESSAGES_PER_RUN;
    while (clock.now() < endsAt && clock.now() >= pausedUntil && left > 0) {
      added.reset();
      heldUntil = (await isPostingPaused()) ? clock.now() + HELD_MS : 0;
      const { messages, eventIds } = await takeBatch([...inFlight.keys()], heldUntil > 0);
      for (const id of eventIds) eventsToRecount.add(id);
      left -= Math.max(messages.length, eventIds.length);
      if (messages.length > 0) await sendBatch(messages);
      else if (inFlight.size > 0) await Promise.race([...inFlight.values(), added.first()]);
      else if (eventIds.length === 0) break;
      await closeEvents(eventsToRecount);
    }
    await closeEvents(eventsToRecount);
  };

  return {
    add: (events) => startWith(() => events.forEach((event) => store.add({ event, now: clock.now() }))),
    resend: (ids) => startWith(() => store.reopen({ ids, now: clock.now() })),
    listResults: async (userId) => store.listResults(userId),
    async wake() {
      if (!isRunning) await armAlarm();
      return store.purge(clock.now());
    },
    async run() {
      isRunning = true;
      botLimit.reset();
      try {
        await setAlarm(clock.now() + RECOVERY_MS);
        await sendUntil(clock.now() + RUN_MS);
      } catch (error) {
        console.warn(JSON.stringify({ event: 'sender.paused', error: describeError(error) }));
        pause(PAUSE_MS);
      }
      measure();
      isRunning = false;
      await armAlarm(heldUntil);
    },
    idle: () => Promise.all(inFlight.values()),
  };
}

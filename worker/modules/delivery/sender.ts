import { FOLLOWERS_PAGE_SIZE, MESSAGES_PER_SECOND, SECOND_MS } from '#schema/constants.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Messenger } from '../../ports/messenger.ts';
import type { Outbox } from '../../ports/outbox.ts';
import type { Alarm } from '../../shared/alarms.ts';
import { createBotLimit } from './bot-limit.ts';
import type { DeliveriesRepository } from './deliveries.repository.ts';
import { keyOf, type DueMessage, type OutboxStore, type ReadyEvent } from './outbox.ts';
import { createPacer } from './pacer.ts';
import { prepareBatch, type PreparedMessage, type PrepareOptions } from './prepare-batch.ts';
import { retryAt } from './retry-delay.ts';

/** The platform's limit of connections per request. */
const MAX_IN_FLIGHT = 6;
/** About a second's worth. */
const BATCH_SIZE = MESSAGES_PER_SECOND;
/** Chat, switches, mutes and entitlement are at most this old when a message is sent. */
const FRESH_MS = SECOND_MS;
/** Keeps one alarm well within the platform's 1,000 subrequests and 15 minutes. */
const RUN_MS = 20 * SECOND_MS;
/** The alarm set during a run fires only if the process dies before the run's end replaces it. */
const RECOVERY_MS = SECOND_MS;
/** How long to wait when the product's database does not answer. */
const PAUSE_MS = 10 * SECOND_MS;

export interface SenderOptions extends PrepareOptions {
  readonly store: OutboxStore;
  readonly repository: DeliveriesRepository;
  readonly messenger: Pick<Messenger, 'send'>;
  readonly alarmOperators: (alarm: Alarm) => Promise<void>;
  /** Sets the one alarm, which calls `run`; null deletes it. */
  readonly setAlarm: (at: number | null) => Promise<void>;
  readonly clock: Clock;
}

export interface Sender extends Outbox {
  /** Sends what is due, for about 20 s, and sets the next alarm. Never throws. */
  run(): Promise<void>;
  /** Resolves when no send is under way. */
  idle(): Promise<unknown>;
}

interface Failure {
  readonly error: unknown;
  readonly isUnanswered?: boolean;
}

/**
 * Sends stored messages at the bot's rate, round-robin across events. At least once: a send interrupted by
 * a crash is repeated.
 */
export function createSender(options: SenderOptions): Sender {
  const { store, repository, events, entitlement, messenger, alarmOperators, setAlarm, clock } = options;
  const pacer = createPacer({ clock, perSecond: MESSAGES_PER_SECOND });
  const botLimit = createBotLimit();
  const inFlight = new Map<string, Promise<void>>();
  /** Events whose counts may have changed. */
  const changed = new Set<string>();
  let isRunning = false;
  let pausedUntil = 0;
  let added = Promise.withResolvers<void>();
  /** Ends a batch early, so that a new event gets its turn at once. */
  let hasNewEvents = false;

  const pause = (milliseconds: number) => {
    pausedUntil = Math.max(pausedUntil, clock.now() + milliseconds);
  };
  const armAlarm = async () => {
    const dueAt = store.nextDueAt();
    await setAlarm(dueAt === null ? null : Math.max(dueAt, pausedUntil, clock.now()));
  };
  const warn = (event: string, details: object, error: unknown) =>
    console.warn(JSON.stringify({ event, ...details, error: String(error) }));

  const retryLater = (message: DueMessage, { error, isUnanswered = false }: Failure) => {
    const { event, userId, attempts, expiresAt } = message;
    warn('notification.failed', { eventId: event.id, userId, attempts: attempts + 1 }, error);
    const dueAt = retryAt({ attempts, isUnanswered, expiresAt, now: clock.now() });
    store.retry(message, { dueAt, error: String(error) });
  };

  const refuse = ({ userId }: DueMessage, retryAfterSeconds: number) => {
    pacer.giveBack();
    store.postponeUser({ userId, until: clock.now() + retryAfterSeconds * SECOND_MS });
    const seconds = botLimit.waitSeconds();
    if (seconds === 0) return;
    pause(seconds * SECOND_MS);
    console.warn(JSON.stringify({ event: 'sender.limited', seconds }));
  };

  const send = async (message: DueMessage, { chatId, text }: PreparedMessage): Promise<void> => {
    try {
      const result = await messenger.send({ chatId, text });
      botLimit.note(result.status === 'rate_limited' ? result.retryAfterSeconds : 0);
      switch (result.status) {
        case 'sent':
          return store.record(message, 'delivered');
        case 'unreachable':
          // Recorded first: after a crash in between, the chat is disconnected by its next message.
          store.record(message, 'unreachable');
          return await repository.disconnect(chatId);
        case 'rate_limited':
          return refuse(message, result.retryAfterSeconds);
        case 'unanswered':
          return retryLater(message, { error: result.cause, isUnanswered: true });
      }
    } catch (error) {
      retryLater(message, { error });
    }
  };

  const readFollowers = async ({ event, after, until, firstFollower }: ReadyEvent): Promise<void> => {
    const eventId = event.id;
    try {
      const page = await events.listFollowers({ eventId, after, until, limit: FOLLOWERS_PAGE_SIZE });
      const userIds =
        page.userIds.length === 0
          ? []
          : await entitlement.entitledAmong({ viewerIds: page.userIds, callerId: page.callerId });
      const wrapped = until === firstFollower ? null : { after: '', until: firstFollower };
      const isLast = page.userIds.length < FOLLOWERS_PAGE_SIZE;
      const next = isLast ? wrapped : { after: page.userIds.at(-1) ?? '', until };
      store.addFollowers({ eventId, userIds, next, now: clock.now() });
    } catch (error) {
      warn('followers.failed', { eventId }, error);
      store.postponeFollowers({ eventId, until: clock.now() + PAUSE_MS });
    }
  };

  const takeBatch = async (): Promise<DueMessage[]> => {
    const ready = store.listReady({ now: clock.now(), limit: BATCH_SIZE });
    const listDue = (event: ReadyEvent) =>
      store.listDue(event, { now: clock.now(), busy: [...inFlight.keys()], limit: BATCH_SIZE });
    const due = await Promise.all(
      ready.map(async (event) => {
        const messages = listDue(event);
        if (messages.length === BATCH_SIZE || !event.hasFollowersDue) return messages;
        await readFollowers(event);
        return listDue(event);
      }),
    );
    const ids = ready.map(({ event }) => event.id);
    store.markServed({ ids, now: clock.now() });
    for (const id of ids) changed.add(id);
    return takeTurns(due).slice(0, BATCH_SIZE);
  };

  /** Sends a batch while what was read for it is at most a second old; the rest stays due. */
  const sendBatch = async (batch: readonly DueMessage[]): Promise<void> => {
    const prepared = await prepareBatch(batch, options);
    const preparedAt = clock.now();
    const [first] = prepared;
    const isDatabaseDown = prepared.every(({ status }) => status === 'rejected');
    if (first?.status === 'rejected' && isDatabaseDown) throw first.reason;
    for (const [index, message] of batch.entries()) {
      const result = prepared[index];
      if (result?.status !== 'fulfilled') retryLater(message, { error: result?.reason });
      else if (result.value === null) store.record(message, 'unwanted');
      else {
        while (inFlight.size >= MAX_IN_FLIGHT) await Promise.race(inFlight.values());
        await pacer.take();
        const isOver =
          clock.now() - preparedAt >= FRESH_MS || clock.now() < pausedUntil || (hasNewEvents && index > 0);
        if (isOver) return pacer.giveBack();
        const key = keyOf(message);
        const sending = send(message, result.value).finally(() => void inFlight.delete(key));
        inFlight.set(key, sending);
      }
    }
  };

  /** Writes counts for callers and failures for operators, then closes events with nothing left to send. */
  const settle = async (): Promise<void> => {
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

  const sendUntil = async (endsAt: number): Promise<void> => {
    while (clock.now() < endsAt && clock.now() >= pausedUntil) {
      added = Promise.withResolvers();
      hasNewEvents = false;
      const batch = await takeBatch();
      if (batch.length > 0) await sendBatch(batch);
      else if (inFlight.size > 0) await Promise.race([...inFlight.values(), added.promise]);
      else break;
      await settle();
    }
    await settle();
  };

  return {
    async add(newEvents) {
      for (const event of newEvents) store.add({ event, now: clock.now() });
      hasNewEvents = true;
      added.resolve();
      await armAlarm();
    },

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
        warn('sender.paused', {}, error);
        pause(PAUSE_MS);
      }
      isRunning = false;
      await armAlarm();
    },

    idle: () => Promise.all(inFlight.values()),
  };
}

/** The first of each list, then the second of each, and so on. */
function takeTurns<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1)),
  ).flat();
}

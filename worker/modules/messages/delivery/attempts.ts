import { SECOND_MS } from '#schema/constants/time.ts';
import type { createBotLimit } from './bot-limit.ts';
import { createFollowerLimit } from './follower-limit.ts';
import { createLagMeter } from './lag-meter.ts';
import type { DueMessage } from './outbox.repository.ts';
import type { createPacer } from './pacer.ts';
import type { PreparedMessage } from './prepare-batch.ts';
import { retryAt } from './retry-delay.ts';
import type { SenderOptions } from './sender-options.ts';
import { describeError } from '../../../shared/describe-error.ts';

/** Cloudflare's limit of simultaneous connections per request. */
const MAX_IN_FLIGHT = 6;

interface Failure {
  readonly error: unknown;
  readonly hasNoResponse?: boolean;
}

export interface AttemptsOptions extends SenderOptions {
  readonly pacer: ReturnType<typeof createPacer>;
  readonly botLimit: ReturnType<typeof createBotLimit>;
  readonly pause: (milliseconds: number) => void;
}

export function createAttempts(options: AttemptsOptions) {
  const { store, repository, messenger, pacer, botLimit, pause, clock, combines = false } = options;
  const lagMeter = createLagMeter(options);
  const followerLimit = createFollowerLimit(options);
  const inFlight = new Map<string, Promise<void>>();

  const retryLater = (message: DueMessage, { error, hasNoResponse = false }: Failure) => {
    const { event, userId, attempts, expiresAt } = message;
    const failure = { eventId: event.id, userId, attempts: attempts + 1, error: describeError(error) };
    console.warn(JSON.stringify({ event: 'notification.failed', ...failure }));
    const dueAt = retryAt({ attempts, hasNoResponse, expiresAt, now: clock.now() });
    store.retry(message, { dueAt, error: failure.error });
  };

  const postpone = ({ userId }: DueMessage, retryAfterSeconds: number) => {
    pacer.giveBack();
    store.postponeUser({ userId, until: clock.now() + retryAfterSeconds * SECOND_MS });
    const seconds = botLimit.waitSeconds();
    if (seconds === 0) return;
    pause(seconds * SECOND_MS);
    console.warn(JSON.stringify({ event: 'sender.limited', seconds }));
  };

  const send = async (message: DueMessage, prepared: PreparedMessage): Promise<void> => {
    try {
      const waiting = combines ? store.listWaiting(message) : [];
      const isBurst = combines && followerLimit.isBurst(prepared, waiting.length);
      const result = await messenger.send({ ...prepared.message, waiting, isBurst });
      lagMeter.note(result.status, store.waitedMs(message));
      const isRefused = result.status === 'rate_limited' && result.isByUs !== true;
      botLimit.note(isRefused ? result.retryAfterSeconds : 0);
      if ('settled' in result && result.settled) store.settle(message, result.settled);
      switch (result.status) {
        case 'sent':
          return store.record(message, 'delivered');
        case 'unreachable':
          // Record the outcome first: after a crash between the two writes, the next message to this chat
          // disconnects it.
          store.record(message, 'unreachable');
          return await repository.disconnect?.(prepared.message.chatId);
        case 'rate_limited':
          followerLimit.giveBack(prepared);
          return postpone(message, result.retryAfterSeconds);
        case 'failed':
          return retryLater(message, { error: result.cause });
        case 'no_response':
          return retryLater(message, { error: result.cause, hasNoResponse: true });
      }
    } catch (error) {
      lagMeter.note('failed', store.waitedMs(message));
      retryLater(message, { error });
    }
  };

  const start = (message: DueMessage, prepared: PreparedMessage): void => {
    const { userId } = message;
    followerLimit.note(prepared);
    inFlight.set(
      userId,
      send(message, prepared).finally(() => void inFlight.delete(userId)),
    );
  };

  const holdBack = (message: DueMessage, prepared: PreparedMessage): boolean => {
    const heldUntil = followerLimit.heldUntil(prepared);
    if (heldUntil !== null) store.postpone(message, heldUntil);
    return heldUntil !== null;
  };

  const waitForSlot = async (): Promise<void> => {
    while (inFlight.size >= MAX_IN_FLIGHT) await Promise.race(inFlight.values());
  };

  return { start, holdBack, waitForSlot, retryLater, measure: lagMeter.flush, inFlight };
}

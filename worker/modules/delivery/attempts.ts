import { SECOND_MS } from '#schema/constants.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Messenger } from '../../ports/messenger.ts';
import type { createBotLimit } from './bot-limit.ts';
import type { DeliveriesRepository } from './deliveries.repository.ts';
import type { DueMessage, OutboxStore } from './outbox.ts';
import type { createPacer } from './pacer.ts';
import type { PreparedMessage } from './prepare-batch.ts';
import { retryAt } from './retry-delay.ts';
import { warn } from './warn.ts';

interface Failure {
  readonly error: unknown;
  readonly isUnanswered?: boolean;
}

export interface AttemptsOptions {
  readonly store: OutboxStore;
  readonly repository: Pick<DeliveriesRepository, 'disconnect'>;
  readonly messenger: Pick<Messenger, 'send'>;
  readonly pacer: ReturnType<typeof createPacer>;
  readonly botLimit: ReturnType<typeof createBotLimit>;
  /** Stops all sending for a while. */
  readonly pause: (milliseconds: number) => void;
  readonly clock: Clock;
}

/** Sends one message and stores its outcome as soon as it is known. */
export function createAttempts(options: AttemptsOptions) {
  const { store, repository, messenger, pacer, botLimit, pause, clock } = options;

  const retryLater = (message: DueMessage, { error, isUnanswered = false }: Failure) => {
    const { event, userId, attempts, expiresAt } = message;
    const details = { eventId: event.id, userId, attempts: attempts + 1 };
    warn({ event: 'notification.failed', ...details, error: String(error) });
    const dueAt = retryAt({ attempts, isUnanswered, expiresAt, now: clock.now() });
    store.retry(message, { dueAt, error: String(error) });
  };

  const refuse = ({ userId }: DueMessage, retryAfterSeconds: number) => {
    pacer.giveBack();
    store.postponeUser({ userId, until: clock.now() + retryAfterSeconds * SECOND_MS });
    const seconds = botLimit.waitSeconds();
    if (seconds === 0) return;
    pause(seconds * SECOND_MS);
    warn({ event: 'sender.limited', seconds });
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

  return { send, retryLater };
}

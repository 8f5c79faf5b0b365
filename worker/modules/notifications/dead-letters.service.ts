import type { Alarm } from '../../shared/alarms.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DeadLetter, DeadLettersRepository } from './dead-letters.repository.ts';
import type { DeliveriesRepository } from './deliveries.repository.ts';
import { notificationMessageSchema } from './notification-message.ts';

export interface DeadLettersOptions {
  readonly repository: DeadLettersRepository;
  readonly deliveries: Pick<DeliveriesRepository, 'listRecipients' | 'record'>;
  readonly alarm: (alarm: Alarm) => Promise<void>;
  readonly clock: Clock;
}

/** A message that is given up. */
type GivenUp = Pick<DeadLetter, 'id' | 'queue' | 'body' | 'attempts'>;

/** Keeps what was given up where an operator sees it. */
export function createDeadLettersService({ repository, deliveries, alarm, clock }: DeadLettersOptions) {
  const keep = ({ letters, reason }: { letters: readonly GivenUp[]; reason: DeadLetter['reason'] }) =>
    repository.keep(
      letters.map((letter) => ({ ...letter, body: asPutAnew(letter.body), reason, at: clock.now() })),
    );

  /** Counts followers whom nothing of an event will reach any more. Who has disconnected meanwhile is nobody's loss. */
  const recordFailed = async (bodies: readonly unknown[]): Promise<void> => {
    const ofEvents = bodies.flatMap((body) => {
      const { data } = notificationMessageSchema.safeParse(body);
      return data?.kind === 'call_event' ? [data] : [];
    });
    const recipients = await deliveries.listRecipients(ofEvents.map(({ userId }) => userId));
    for (const { eventId, userId } of ofEvents) {
      const chatId = recipients.get(userId)?.chatId;
      if (chatId !== undefined) {
        await deliveries.record({ eventId, chatId, outcome: 'failed', now: clock.now() });
      }
    }
  };

  return {
    keep,

    /** Takes over what a queue itself gave up after its last attempt, and tells the operator once for all of it. @throws where nothing is done yet, or only a part; then again */
    async bury(letters: readonly GivenUp[]): Promise<void> {
      await recordFailed(letters.map(({ body }) => body));
      await keep({
        letters: letters.map((letter) => ({ ...letter, queue: queueOf(letter) })),
        reason: 'too_many_attempts',
      });
      const kinds = Map.groupBy(letters, ({ body }) => kindOf(body));
      const counts = Object.fromEntries([...kinds].map(([kind, those]) => [kind, those.length]));
      await alarm({ kind: 'notifications.dead', details: { letters: letters.length, ...counts } });
    },
  };
}

/** A body as an operator puts it into its queue once more: then it is not tried since before. */
function asPutAnew(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('since' in body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'since'));
}

/** The queue of a message's kind. What is of none keeps the one that it came from. */
function queueOf({ body, queue }: GivenUp): string {
  switch (kindOf(body)) {
    case 'fan_out':
      return 'fan-outs';
    case 'call_event':
      return 'notifications';
    case 'renewal':
    case 'payout_changed':
    case 'payment_received':
      return 'notices';
    default:
      return queue;
  }
}

function kindOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'kind' in body ? String(body.kind) : 'unreadable';
}

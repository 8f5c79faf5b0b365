import { FOLLOWERS_PAGE_SIZE, QUEUE_BATCH_SIZE } from '#schema/constants.ts';
import type { CallEventsRepository } from './call-events.repository.ts';
import type { FanOutMessage, FanOutQueue, NotificationQueue } from './notification-message.ts';

/** Who may know of a caller's active calls now. */
export interface FollowerEntitlementPort {
  /** Those of the viewers who may. */
  entitledAmong(question: { viewerIds: readonly string[]; callerId: string }): Promise<string[]>;
}

export interface FanOutOptions {
  readonly repository: CallEventsRepository;
  readonly entitlement: FollowerEntitlementPort;
  /** For the followers. */
  readonly notifications: NotificationQueue;
  /** For the next chunk. */
  readonly fanOuts: FanOutQueue;
  readonly random: () => number;
}

const SEED_VALUES = 2 ** 32;

/** The message that an event's fan-out begins with: at a random place among the followers' ids, so that nobody is always first. */
export function firstChunk({ eventId, random }: { eventId: string; random: () => number }): FanOutMessage {
  const seed = Math.floor(random() * SEED_VALUES)
    .toString(16)
    .padStart(8, '0');
  return { kind: 'fan_out', eventId, seed, after: seed, isWrapped: false, counted: 0 };
}

/** From one event to a message for each of its followers, a page of them at a time. */
export function createFanOutService({
  repository,
  entitlement,
  notifications,
  fanOuts,
  random,
}: FanOutOptions) {
  /** The next followers on the ring, and where they end; `null` where the ring is closed. */
  const listPage = async ({
    audience,
    chunk,
  }: {
    audience: Parameters<CallEventsRepository['listFollowersAfter']>[0];
    chunk: FanOutMessage;
  }) => {
    const limit = FOLLOWERS_PAGE_SIZE;
    const { seed, isWrapped } = chunk;
    if (isWrapped) {
      const page = await repository.listFollowersBetween({ ...audience, until: seed });
      return { page, next: page.length < limit ? null : { after: page.at(-1) ?? '', isWrapped } };
    }
    const first = await repository.listFollowersAfter(audience);
    if (first.length === limit) return { page: first, next: { after: first.at(-1) ?? '', isWrapped } };
    const rest = await repository.listFollowersBetween({
      ...audience,
      after: '',
      until: seed,
      limit: limit - first.length,
    });
    const page = [...first, ...rest];
    return { page, next: page.length < limit ? null : { after: rest.at(-1) ?? '', isWrapped: true } };
  };

  return {
    /**
     * Puts a message for each follower of one chunk into the queue who may know and wants to, then the next chunk. The count of
     * recipients is written last and proves that all of this was done: a chunk that is handed over again does nothing then, and
     * one that died on the way is done anew, which at worst makes messages twice, of which each chat takes one.
     */
    async fanOut(chunk: FanOutMessage): Promise<void> {
      const { eventId, counted } = chunk;
      const event = await repository.findAudience(eventId);
      if (!event || event.recipients > counted) return;
      const { callerId, kind } = event;
      const { page, next } = await listPage({
        audience: { callerId, kind, after: chunk.after, limit: FOLLOWERS_PAGE_SIZE },
        chunk,
      });
      const userIds =
        page.length === 0
          ? []
          : shuffle(await entitlement.entitledAmong({ viewerIds: page, callerId }), random);
      for (let at = 0; at < userIds.length; at += QUEUE_BATCH_SIZE) {
        await notifications.sendBatch(
          userIds
            .slice(at, at + QUEUE_BATCH_SIZE)
            .map((userId) => ({ body: { kind: 'call_event', eventId, userId } })),
        );
      }
      const recipients = counted + userIds.length;
      if (next) await fanOuts.sendBatch([{ body: { ...chunk, ...next, counted: recipients } }]);
      await repository.raiseRecipients({ id: eventId, recipients });
    },
  };
}

/** Every order as likely as any other. */
function shuffle(ids: readonly string[], random: () => number): string[] {
  const shuffled = [...ids];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other] as string, shuffled[last] as string];
  }
  return shuffled;
}

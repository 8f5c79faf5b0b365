import { SECOND_MS } from '#schema/constants/time.ts';
import type { DueMessage, ReadyEvent } from './outbox.repository.ts';
import type { SenderOptions } from './sender-options.ts';
import { describeError } from '../../../shared/describe-error.ts';

const FOLLOWERS_PAGE_SIZE = 1_000;

const FOLLOWERS_RETRY_MS = 10 * SECOND_MS;

export interface Batch {
  readonly messages: readonly DueMessage[];
  readonly eventIds: readonly string[];
}

/**
 * Returns a function that reads due messages round-robin across events, at most one per recipient, so that messages to
 * a recipient never overtake each other. Leaves out messages to recipients in `busy`, and about calls if `isHeld`.
 */
export function createTakeBatch({ store, events, entitlement, clock, perSecond }: SenderOptions) {
  /** The number of messages sent in about one second. */
  const batchSize = perSecond;
  const readFollowers = async ({ event, after, until, firstFollower }: ReadyEvent): Promise<void> => {
    const eventId = event.id;
    try {
      const listed = await events.listRecipients({ event, after, until, limit: FOLLOWERS_PAGE_SIZE });
      const isLimited = events.traitsOf(event).isOfCall && listed.length > 0;
      const userIds = isLimited
        ? await entitlement.entitledAmong({ userIds: listed, callerId: event.userId })
        : listed;
      const wrapped = until === firstFollower ? null : { after: '', until: firstFollower };
      const isLast = listed.length < FOLLOWERS_PAGE_SIZE;
      const next = isLast ? wrapped : { after: listed.at(-1) ?? '', until };
      store.addFollowers({ event, userIds, next, now: clock.now() });
    } catch (error) {
      console.warn(JSON.stringify({ event: 'followers.failed', eventId, error: describeError(error) }));
      store.postponeFollowers({ eventId, until: clock.now() + FOLLOWERS_RETRY_MS });
    }
  };

  return async (busy: readonly string[], isHeld: boolean): Promise<Batch> => {
    const ready = store.listReady({ now: clock.now(), limit: batchSize, isHeld });
    const listDue = (event: ReadyEvent) => store.listDue(event, { now: clock.now(), busy, limit: batchSize });
    const due = await Promise.all(
      ready.map(async (event) => {
        const messages = listDue(event);
        const isFilled = messages.length === batchSize && !event.isFollowed;
        if (isFilled || !event.hasFollowersDue) return messages;
        await readFollowers(event);
        return listDue(event);
      }),
    );
    const ids = ready.map(({ event }) => event.id);
    store.markServed({ ids, now: clock.now() });
    const byRecipient = Map.groupBy(interleaveLists(due), ({ userId }) => userId);
    const messages = [...byRecipient.values()].flatMap(oldest);
    return { messages: messages.slice(0, batchSize), eventIds: ids };
  };
}

const oldest = (messages: readonly DueMessage[]): DueMessage[] =>
  messages.toSorted((one, other) => one.number - other.number).slice(0, 1);

function interleaveLists<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1)),
  ).flat();
}

import { SECOND_MS } from '#schema/constants/time.ts';
import type { ChangedCall } from '#schema/contracts/live.ts';
import type { CallChange, Live, LiveEvents, PeopleChange } from '../../../ports/live.ts';
import type { Lifetime } from '../../../ports/lifetime.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { withTimeout } from '../../../shared/with-timeout.ts';
import { createJoin, type Joining } from './join-request.ts';

const TIMEOUT_MS = 5 * SECOND_MS;
/** If more calls change at once, pages get only a topic for the rest, so that a busy cron run reads little. */
const MAX_DESCRIBED = 10;

export interface LiveHubs {
  readonly names: readonly string[];
  nameOf(userId: string): string;
  /** Creates a new stub each time, because a stub can't be reused in another request. */
  open(name: string): LiveEvents & { fetch(request: Request): Promise<Response> };
}

/** Reads a changed call. Doesn't check access: the hubs do, when they send it. */
export type DescribeChange = (change: CallChange) => Promise<ChangedCall | null>;

interface LiveOptions {
  readonly hubs: LiveHubs;
  readonly describe: DescribeChange;
  readonly lifetime: Lifetime;
}

export function createLiveService(
  options: LiveOptions,
): Live & { join(joining: Joining): Promise<Response> } {
  const { hubs, describe, lifetime } = options;
  const describeOrNull = (change: CallChange, index: number): Promise<ChangedCall | null> => {
    if (index >= MAX_DESCRIBED) return Promise.resolve(null);
    return withTimeout(describe(change), TIMEOUT_MS).catch((error: unknown) => {
      console.warn(JSON.stringify({ event: 'live.undescribed', ...change, error: describeError(error) }));
      return null;
    });
  };
  const tell = (name: string, send: (hub: LiveEvents) => Promise<void>) => {
    // A hub that can't be opened throws at once.
    const sent = Promise.resolve().then(() => withTimeout(send(hubs.open(name)), TIMEOUT_MS));
    lifetime.keepAlive(
      sent.catch((error: unknown) => {
        console.warn(JSON.stringify({ event: 'live.unreachable', hub: name, error: describeError(error) }));
      }),
    );
  };

  return {
    callsChanged(changes) {
      if (changes.length === 0) return;
      // Read once for all hubs.
      const described = Promise.all(
        changes.map(async (change, index) => ({
          callerId: change.callerId,
          changed: await describeOrNull(change, index),
        })),
      );
      for (const name of hubs.names) tell(name, async (hub) => hub.callsChanged(await described));
    },
    peopleChanged({ userIds, topic }: PeopleChange) {
      for (const [name, ids] of Map.groupBy(userIds, hubs.nameOf)) {
        tell(name, (hub) => hub.peopleChanged({ userIds: ids, topic }));
      }
    },
    join: (joining) => hubs.open(hubs.nameOf(joining.userId)).fetch(createJoin(joining)),
  };
}

import { SECOND_MS } from '#schema/constants/time.ts';
import type { ChangedCall } from '#schema/contracts/live.ts';
import type { Base } from '../../../app/base.ts';
import { LIVE_HUB_NAMES, liveHubOf } from '../../../app/env.ts';
import type { CallChange, Live, LiveEvents, PeopleChange } from '../../../ports/live.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { withTimeout } from '../../../shared/with-timeout.ts';
import { createJoin, type Joining } from './join-request.ts';

const TIMEOUT_MS = 5 * SECOND_MS;
/** If more calls change at once, pages get only a topic for the rest, so that a busy cron run reads little. */
const MAX_DESCRIBED = 10;

/** Reads a changed call. Doesn't check access: the hubs do, when they send it. */
export type DescribeChange = (change: CallChange) => Promise<ChangedCall | null>;

interface LiveOptions extends Pick<Base, 'env' | 'lifetime'> {
  readonly describe: DescribeChange;
}

export function createLiveService(
  options: LiveOptions,
): Live & { join(joining: Joining): Promise<Response> } {
  const { env, describe, lifetime } = options;
  // A new stub each time, because a stub can't be reused in another request.
  const open = (name: string) => env.LIVE.getByName(name);
  const describeOrNull = (change: CallChange, index: number): Promise<ChangedCall | null> => {
    if (index >= MAX_DESCRIBED) return Promise.resolve(null);
    return withTimeout(describe(change), TIMEOUT_MS).catch((error: unknown) => {
      console.warn(JSON.stringify({ event: 'live.undescribed', ...change, error: describeError(error) }));
      return null;
    });
  };
  const tell = (name: string, send: (hub: LiveEvents) => Promise<void>) => {
    // A hub that can't be opened throws at once.
    const sent = Promise.resolve().then(() => withTimeout(send(open(name)), TIMEOUT_MS));
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
      for (const name of LIVE_HUB_NAMES) tell(name, async (hub) => hub.callsChanged(await described));
    },
    peopleChanged({ userIds, topic }: PeopleChange) {
      for (const [name, ids] of Map.groupBy(userIds, liveHubOf)) {
        tell(name, (hub) => hub.peopleChanged({ userIds: ids, topic }));
      }
    },
    join: (joining) => open(liveHubOf(joining.userId)).fetch(createJoin(joining)),
  };
}

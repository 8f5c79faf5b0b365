import { SECOND_MS } from '#schema/constants.ts';
import type { Live, LiveEvents, PeopleChange } from '../../../ports/live.ts';
import type { Lifetime } from '../../../ports/lifetime.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { withTimeout } from '../../../shared/with-timeout.ts';
import { createJoin, type Joining } from './join-request.ts';

const TIMEOUT_MS = 5 * SECOND_MS;

export interface LiveHubs {
  readonly names: readonly string[];
  nameOf(userId: string): string;
  /** Creates a new stub each time, because a stub can't be reused in another request. */
  open(name: string): LiveEvents & { fetch(request: Request): Promise<Response> };
}

export function createLiveService({
  hubs,
  lifetime,
}: {
  hubs: LiveHubs;
  lifetime: Lifetime;
}): Live & { join(joining: Joining): Promise<Response> } {
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
    callersChanged(callerIds) {
      if (callerIds.length === 0) return;
      for (const name of hubs.names) tell(name, (hub) => hub.callersChanged(callerIds));
    },
    peopleChanged({ userIds, topic }: PeopleChange) {
      for (const [name, ids] of Map.groupBy(userIds, hubs.nameOf)) {
        tell(name, (hub) => hub.peopleChanged({ userIds: ids, topic }));
      }
    },
    join: (joining) => hubs.open(hubs.nameOf(joining.userId)).fetch(createJoin(joining)),
  };
}

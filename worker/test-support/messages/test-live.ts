import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { LIVE_HUB_NAMES, type Bindings } from '../../app/env.ts';
import type { Services } from '../../app/services.ts';
import { LiveHub as LiveHubObject } from '../../durable-objects/live-hub.ts';
import type { LiveHub } from '../../modules/messages/live/live-hub.ts';
import type { DescribedChange, PeopleChange } from '../../ports/live.ts';

// The alarm would fire with the system's clock, at which the tests' sessions have expired.
LiveHubObject.prototype.alarm = () => Promise.resolve();

export interface TestLiveOptions {
  readonly namespace: Bindings['LIVE'];
  readonly services: () => Services;
}

/** The real hubs with their WebSockets, but with the test's clock. */
export interface TestLive {
  /** The number of requests to hubs so far, except those that connect a page. */
  requests(): number;
  /** Resolves when the hubs have sent all messages. */
  idle(): Promise<unknown>;
  /** Makes all hubs send prices, as their alarms do. */
  sendPrices(): Promise<unknown>;
  /** Lets all hubs hibernate. */
  sleep(): Promise<unknown>;
}

export function createTestLive({ namespace, services }: TestLiveOptions): {
  live: TestLive;
  binding: Bindings['LIVE'];
} {
  const open = new Set<Promise<unknown>>();
  let requests = 0;
  const inHub = <Result>(name: string, work: (hub: LiveHub) => Promise<Result>) =>
    runInDurableObject(namespace.getByName(name), (_, state) =>
      work(services().openLiveHub({ sockets: state, wakeAt: async () => undefined })),
    );
  const tell = (name: string, work: (hub: LiveHub) => Promise<void>) => {
    requests += 1;
    const told = inHub(name, work).finally(() => open.delete(told));
    open.add(told);
    return told;
  };
  const binding = {
    getByName: (name: string) => ({
      callsChanged: (changes: readonly DescribedChange[]) => tell(name, (hub) => hub.callsChanged(changes)),
      peopleChanged: (change: PeopleChange) => tell(name, (hub) => hub.peopleChanged(change)),
      // `runInDurableObject` can't return a WebSocket.
      fetch: (request: Request) => namespace.getByName(name).fetch(request),
    }),
  } as unknown as Bindings['LIVE'];
  const live: TestLive = {
    requests: () => requests,
    async idle() {
      // A change notifies the hubs only after the current task.
      await new Promise((resolve) => setTimeout(resolve));
      await Promise.all(open);
    },
    sendPrices: () => Promise.all(LIVE_HUB_NAMES.map((name) => inHub(name, (hub) => hub.sendPrices()))),
    // An object that isn't running can't be evicted.
    sleep: () =>
      Promise.allSettled(LIVE_HUB_NAMES.map((name) => evictDurableObject(namespace.getByName(name)))),
  };
  return { live, binding };
}

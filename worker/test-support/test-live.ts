import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { LIVE_HUB_NAMES, type Bindings } from '../app/env.ts';
import type { Services } from '../app/services.ts';
import type { LiveHub } from '../modules/messages/live/live-hub.ts';
import type { PeopleChange } from '../ports/live.ts';
import type { Person, TestApp } from './test-app.ts';

export interface TestLiveOptions {
  readonly namespace: Bindings['LIVE'];
  readonly services: () => Services;
}

/** The real hubs with their WebSockets, but with the test's clock. */
export interface TestLive {
  /** Requests to hubs so far, without those that connect a page. */
  requests(): number;
  /** Resolves when the hubs have sent all messages. */
  idle(): Promise<unknown>;
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
    runInDurableObject(namespace.getByName(name), (_, state) => work(services().openLiveHub(state)));
  const tell = (name: string, work: (hub: LiveHub) => Promise<void>) => {
    requests += 1;
    const told = inHub(name, work).finally(() => open.delete(told));
    open.add(told);
    return told;
  };
  const binding = {
    getByName: (name: string) => ({
      callersChanged: (ids: readonly string[]) => tell(name, (hub) => hub.callersChanged(ids)),
      peopleChanged: (change: PeopleChange) => tell(name, (hub) => hub.peopleChanged(change)),
      // `runInDurableObject` can't return a WebSocket.
      fetch: (request: Request) => namespace.getByName(name).fetch(request),
    }),
  } as unknown as Bindings['LIVE'];
  const live: TestLive = {
    requests: () => requests,
    async idle() {
      // A change starts to tell the hubs only after the current task.
      await new Promise((resolve) => setTimeout(resolve));
      await Promise.all(open);
    },
    // An object that isn't running can't be evicted.
    sleep: () =>
      Promise.allSettled(LIVE_HUB_NAMES.map((name) => evictDurableObject(namespace.getByName(name)))),
  };
  return { live, binding };
}

/** An open page with its WebSocket. */
export interface OpenPage {
  /** Returns the topics that it heard since the last call, after all hubs are done. */
  heard(): Promise<string[]>;
  /** The close code; null while it's open. */
  closed(): number | null;
  send(message: string): void;
}

/** Asks for a page's WebSocket. By default, as our own page does. */
export const requestLive = (
  app: TestApp,
  { cookie, ...headers }: { cookie?: string; Origin?: string; Upgrade?: string; 'CF-Connecting-IP'?: string },
) =>
  app.request('/api/live', {
    ...(cookie === undefined ? {} : { cookie }),
    headers: { Origin: 'https://solcallers.test', Upgrade: 'websocket', ...headers },
  });

export async function openPage(
  app: TestApp,
  { cookie }: Pick<Person, 'cookie'>,
  address = '192.0.2.1',
): Promise<OpenPage> {
  const { status, webSocket: socket } = await requestLive(app, { cookie, 'CF-Connecting-IP': address });
  if (socket === null) throw new Error(`The WebSocket was answered with ${status}`);
  let topics: string[] = [];
  let code: number | null = null;
  let pong = Promise.withResolvers<void>();
  socket.addEventListener('message', ({ data }) => {
    if (data === 'pong') pong.resolve();
    else topics.push(String(data));
  });
  socket.addEventListener('close', (event) => {
    code = event.code;
    pong.resolve();
  });
  socket.accept();
  return {
    async heard() {
      await app.live.idle();
      // The answer comes after all earlier messages.
      pong = Promise.withResolvers();
      if (code === null) socket.send('ping');
      else pong.resolve();
      await pong.promise;
      const heard = topics;
      topics = [];
      return heard;
    },
    closed: () => code,
    send: (message) => socket.send(message),
  };
}

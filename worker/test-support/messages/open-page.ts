import type { LiveCall, LiveMessage } from '#schema/contracts/live.ts';
import type { ShownPrices } from '#schema/contracts/prices.ts';
import type { Person, TestApp } from '../test-app.ts';

/** An open page with its WebSocket. */
export interface OpenPage {
  /** Waits for all hubs. Returns the topics that the page has received since the last call; `calls` for a call. */
  heard(): Promise<string[]>;
  /** All calls that the page has received. */
  calls(): readonly LiveCall[];
  /** All prices that the page has received. */
  prices(): readonly ShownPrices[];
  /** The close code; null while the WebSocket is open. */
  closed(): number | null;
  send(message: string): void;
}

/** Requests a page's WebSocket, by default with the headers of our own page. */
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
  if (socket === null) throw new Error(`The WebSocket request got the status ${status}`);
  let topics: string[] = [];
  const calls: LiveCall[] = [];
  const prices: ShownPrices[] = [];
  let code: number | null = null;
  let pong = Promise.withResolvers<void>();
  socket.addEventListener('message', ({ data }) => {
    const message = String(data);
    if (message === 'pong') {
      pong.resolve();
      return;
    }
    const content = message.startsWith('{') ? (JSON.parse(message) as LiveMessage) : message;
    if (typeof content === 'string') topics.push(content);
    else if ('prices' in content) prices.push(content.prices);
    else {
      calls.push(content);
      topics.push('calls');
    }
  });
  socket.addEventListener('close', (event) => {
    code = event.code;
    pong.resolve();
  });
  socket.accept();
  return {
    async heard() {
      await app.live.idle();
      // The pong arrives after all earlier messages.
      pong = Promise.withResolvers();
      if (code === null) socket.send('ping');
      else pong.resolve();
      await pong.promise;
      const heard = topics;
      topics = [];
      return heard;
    },
    calls: () => calls,
    prices: () => prices,
    closed: () => code,
    send: (message) => socket.send(message),
  };
}

import type { Person, TestApp } from '../test-app.ts';

/** An open page with its WebSocket. */
export interface OpenPage {
  /** Waits for all hubs. Returns the topics that the page has received since the last call. */
  heard(): Promise<string[]>;
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
      // The pong arrives after all earlier messages.
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

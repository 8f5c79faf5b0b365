import type { Person, TestApp } from '../test-app.ts';

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
      // The response comes after all earlier messages.
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

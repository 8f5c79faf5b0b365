import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';

/** Node's default of 5 s would close idle connections just as a client sends its next request. */
export const KEEP_ALIVE_MS = 10 * 60_000;

/**
 * Serves an app on this machine alone.
 * @param port 0 picks a free one
 * @throws the system's error when the port is taken (`code` EADDRINUSE, `port`)
 */
export async function listen(app: Hono<{ Bindings: HttpBindings }>, port: number) {
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: { keepAliveTimeout: KEEP_ALIVE_MS },
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const actualPort = (server.address() as AddressInfo).port;
  return {
    port: actualPort,
    url: `http://127.0.0.1:${actualPort}`,
    async close() {
      if ('closeAllConnections' in server) server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

import { once } from 'node:events';
import { createAdaptorServer } from '@hono/node-server';
import { proxy } from 'hono/proxy';
import { KEEP_ALIVE_MS } from '../settings.ts';
import { createSharedCache } from './shared-cache.ts';

export interface CachedOptions {
  readonly port: number;
  /** The port on this machine at which the runtime itself listens. */
  readonly originPort: number;
}

export interface CachedServer {
  close(): void;
}

/** Serves the runtime behind the local shared cache. Rejects with EADDRINUSE when the port is taken. */
export async function serveCached({ port, originPort }: CachedOptions): Promise<CachedServer> {
  const fetch = createSharedCache({
    now: () => Date.now(),
    origin: (request) => {
      const { pathname, search } = new URL(request.url);
      return proxy(`http://127.0.0.1:${originPort}${pathname}${search}`, {
        raw: request,
        redirect: 'manual',
      });
    },
  });
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false });
  Object.assign(server, { keepAliveTimeout: KEEP_ALIVE_MS });
  server.listen(port, 'localhost');
  await once(server, 'listening');
  return {
    close() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    },
  };
}

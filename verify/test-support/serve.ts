import { createServer, type Server as HttpServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import type { Server } from './server.ts';

/** Serves a site over HTTP, and its chain at `/rpc`. */
export async function serve(server: Server): Promise<{ origin: string; close(): void }> {
  const http: HttpServer = createServer((request, response) => {
    void (async () => {
      const { url = '/' } = request;
      if (url === '/rpc') {
        const { method, params } = JSON.parse(await text(request)) as { method: string; params: unknown[] };
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: await server.callRpc(method, params) }));
        return;
      }
      const found = await server.get(url);
      response.writeHead(found.status, Object.fromEntries(found.headers));
      response.end(Buffer.from(await found.arrayBuffer()));
    })();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => http.close() };
}

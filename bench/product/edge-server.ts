import { once } from 'node:events';
import { createServer, request as sendHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, constants } from 'node:zlib';

/** Cloudflare's quality for brotli. */
const QUALITY = 4;
const COMPRESSED = /^(?:text\/|application\/(?:json|javascript|manifest))|^image\/svg/;
const FLOOR = '/without-scripts';

/**
 * Serves a running product as Cloudflare would: text compressed with brotli. `floorOf` is the URL of the same page without
 * its scripts.
 */
export async function serveCompressed(productUrl: string) {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const isFloor = request.url?.startsWith(FLOOR) ?? false;
    const path = (isFloor ? request.url?.slice(FLOOR.length) : request.url) ?? '/';
    const { origin, 'accept-encoding': _encoding, ...headers } = request.headers;
    const sent = sendHttp(new URL(path, productUrl), {
      method: request.method,
      headers: { ...headers, host: new URL(productUrl).host, ...(origin && { origin: productUrl }) },
    });
    request.pipe(sent);
    const [incoming] = (await once(sent, 'response')) as [IncomingMessage];
    const { 'transfer-encoding': _transfer, 'content-length': _length, ...saved } = incoming.headers;
    if (!COMPRESSED.test(saved['content-type'] ?? '') || incoming.statusCode === 304) {
      response.writeHead(incoming.statusCode ?? 502, saved);
      incoming.pipe(response);
      return;
    }
    const body = withoutLocalWallet(await text(incoming));
    response.writeHead(incoming.statusCode ?? 502, { ...saved, 'content-encoding': 'br' });
    response.end(
      brotliCompressSync(isFloor ? withoutScripts(body) : body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY },
      }),
    );
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url,
    floorOf: (path: string) => `${url}${FLOOR}${path}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The local environment adds a wallet to each page, which the deployed product doesn't have. */
function withoutLocalWallet(html: string): string {
  return html.replace(/<script\b[^>]*local-wallet[^>]*><\/script>/, '');
}

function withoutScripts(html: string): string {
  return html.replace(/<script\b[^>]*>.*?<\/script>|<link rel="modulepreload"[^>]*>/gs, '');
}

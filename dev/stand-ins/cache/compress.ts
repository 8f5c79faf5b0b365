import { pipeline, Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';

/** The types that Cloudflare compresses, of those that the product sends. */
const COMPRESSED =
  /^(?:text\/|image\/svg\+xml|application\/(?:json|javascript|manifest\+json|rss\+xml|wasm|xml)\b)/;
/** Cloudflare's quality for brotli. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const NO_RANGE = 206;

/** Compresses a response as Cloudflare's edge does, after the shared cache. */
export function compress(request: Request, response: Response): Response {
  const { body, status, headers: sent } = response;
  const isCompressible = COMPRESSED.test(sent.get('Content-Type') ?? '') && !sent.has('Content-Encoding');
  if (body === null || status === NO_RANGE || !isCompressible) return response;
  const headers = new Headers(sent);
  headers.append('Vary', 'Accept-Encoding');
  const accepted = request.headers.get('Accept-Encoding') ?? '';
  const encoding = ['br', 'gzip'].find((each) => accepted.includes(each));
  if (encoding === undefined) return new Response(body, { status, headers });
  headers.set('Content-Encoding', encoding);
  headers.delete('Content-Length');
  const tag = sent.get('ETag');
  if (tag !== null && !tag.startsWith('W/')) headers.set('ETag', `W/${tag}`);
  const encoder = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip();
  // If the browser leaves, `pipeline` ends both streams.
  pipeline(Readable.fromWeb(body as never), encoder, () => undefined);
  return new Response(Readable.toWeb(encoder) as ReadableStream<Uint8Array>, { status, headers });
}

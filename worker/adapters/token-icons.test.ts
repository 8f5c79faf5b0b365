import { expect, it, vi } from 'vitest';
import { TOKEN_ICON, createTokenIcons } from './token-icons.ts';
import { pngPortrait } from '#test/images/avatars.ts';
import { privateUrls } from '#test/access/private-urls.ts';

const ICON = 'https://icons.solana.com/wif.png';
const TRUSTED = 'http://127.0.0.1:8788';
const icons = createTokenIcons({ trustedOrigins: [TRUSTED], ownOrigin: 'https://solcallers.test' });

/** Mocks `fetch` with responses by URL; all other URLs return an image. Returns the mock. */
function serve(responses: Readonly<Record<string, () => Response>> = {}) {
  return vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async (url) => responses[String(url)]?.() ?? new Response(pngPortrait));
}

const redirect = (to: string, status = 302) =>
  new Response('elsewhere', { status, headers: { Location: to } });

it.each([
  ICON,
  'https://IPFS.io/ipfs/bafy?x=1',
  'https://xn--bcher-kva.de/a.png',
  'https://bücher.de/a.png',
  'https://a.b.c.arweave.net:443/icon',
  `${TRUSTED}/icons/WIF.png`,
])('a token icon is fetched from %s without caches and without our cookies', async (url) => {
  const requested = serve();
  expect(await icons.fetch(url)).toEqual({ type: 'image/png', bytes: pngPortrait });
  expect(requested).toHaveBeenCalledExactlyOnceWith(new URL(url).href, {
    redirect: 'manual',
    cache: 'no-store',
    signal: expect.any(AbortSignal),
    headers: { 'User-Agent': 'SolCallers' },
  });
});

it('a token icon is never fetched from a private address, in any notation', async () => {
  expect(new Set(privateUrls).size).toBeGreaterThanOrEqual(100);
  const requested = serve();
  for (const url of privateUrls) {
    expect(await icons.fetch(url), url).toBeNull();
    expect(requested, url).not.toHaveBeenCalled();
  }
  for (const url of [`http://ada@127.0.0.1:8788/`, 'http://127.0.0.1:8787/', 'https://127.0.0.1:8788/']) {
    expect(await icons.fetch(url), url).toBeNull();
    expect(requested, url).not.toHaveBeenCalled();
  }
});

it('a token icon is never fetched after a redirect to a private address, in any notation', async () => {
  let target = '';
  const cdn = 'https://cdn.solana.com/wif.png';
  const requested = serve({ [ICON]: () => redirect(cdn), [cdn]: () => redirect(target) });
  // A relative redirect stays on the public host.
  const elsewhere = privateUrls.filter((url) => URL.parse(url, cdn)?.hostname !== 'cdn.solana.com');
  expect(elsewhere.length).toBeGreaterThanOrEqual(100);
  for (const url of elsewhere) {
    // HTTP headers are ASCII.
    target = url.replace(/[^\0-\u007f]+/g, encodeURIComponent);
    requested.mockClear();
    expect(await icons.fetch(ICON), url).toBeNull();
    expect(
      requested.mock.calls.map(([each]) => each),
      url,
    ).toEqual([ICON, cdn]);
  }
});

it('a token icon is fetched through two redirects, but not through three', async () => {
  const steps = ['https://a.solana.com/', 'https://b.solana.com/', 'https://c.solana.com/'];
  for (const status of [301, 302, 303, 307, 308]) {
    const requested = serve({
      [ICON]: () => redirect(steps[0] ?? '', status),
      'https://a.solana.com/': () => redirect('//b.solana.com', status),
      'https://c.solana.com/': () => redirect(ICON, status),
    });
    expect(await icons.fetch(ICON)).not.toBeNull();
    expect(await icons.fetch('https://c.solana.com/')).toBeNull();
    const [a, b, c] = steps;
    expect(requested.mock.calls.map(([url]) => url)).toEqual([ICON, a, b, c, ICON, a]);
    requested.mockRestore();
  }
});

it.each(
  Object.entries<() => Response>({
    'status 404': () => new Response(pngPortrait, { status: 404 }),
    'status 206': () => new Response(pngPortrait, { status: 206 }),
    'status 304': () => new Response(null, { status: 304 }),
    'a redirect to nowhere': () => new Response(null, { status: 302 }),
    'a status that is no redirect': () => redirect('https://a.solana.com/', 300),
    'no body': () => new Response(null),
    'no response': () => {
      throw new TypeError('Network connection lost.');
    },
    'an SVG named PNG': () =>
      new Response('<svg xmlns="http://www.w3.org/2000/svg"/>', {
        headers: { 'Content-Type': 'image/png' },
      }),
    'a body that breaks off': () =>
      new Response(new ReadableStream({ start: (controller) => controller.error(new Error('cut')) })),
  }),
)('a token icon is missing if its host sends %s', async (_name, respond) => {
  serve({ [ICON]: respond });
  expect(await icons.fetch(ICON)).toBeNull();
});

/** An endless body that counts its chunks and records its cancellation. */
function endless(chunk: Uint8Array) {
  const state = { chunks: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        state.chunks += 1;
        controller.enqueue(chunk);
      },
      cancel() {
        state.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, state };
}

it('a token icon’s download is cancelled at the size limit, or immediately if Content-Length exceeds the limit', async () => {
  const chunk = new Uint8Array(64 * 1_024);
  chunk.set(pngPortrait.subarray(0, 64));
  const first = endless(chunk);
  serve({ [ICON]: () => new Response(first.body) });
  expect(await icons.fetch(ICON)).toBeNull();
  expect(first.state.isCancelled).toBe(true);
  expect(first.state.chunks).toBeLessThanOrEqual(TOKEN_ICON.maxBytes / chunk.length + 2);
  vi.restoreAllMocks();
  const second = endless(chunk);
  const headers = { 'Content-Length': String(TOKEN_ICON.maxBytes + 1) };
  serve({ [ICON]: () => new Response(second.body, { headers }) });
  expect(await icons.fetch(ICON)).toBeNull();
  expect(second.state).toEqual({ chunks: 0, isCancelled: true });
});

it('a token icon is missing if its download takes over five seconds', async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const requested: number[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    requested.push(milliseconds);
    return timeout(1);
  });
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('late')));
      }),
  );
  expect(await icons.fetch(ICON)).toBeNull();
  expect(requested).toEqual([5_000]);
});

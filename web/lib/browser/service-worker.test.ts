import { beforeEach, expect, it, vi } from 'vitest';

const FILE = '../../public/sw.js';

type Handler = (event: object) => void;

let handlers: Map<string, Handler>;
let work: Promise<unknown>[];
const showNotification = vi.fn(async () => undefined);
const openWindow = vi.fn(async () => undefined);
const request = vi.fn();
const stored = new Map<string, unknown>();
let pages: { url: string; focus: () => void }[];

/** Runs the service worker's file with a browser's globals. */
beforeEach(async () => {
  [handlers, work, pages] = [new Map(), [], []];
  for (const mock of [showNotification, openWindow, request]) mock.mockReset();
  stored.clear();
  const self = {
    addEventListener: (type: string, handler: Handler) => handlers.set(type, handler),
    skipWaiting: () => undefined,
    registration: { showNotification },
    clients: { matchAll: async () => pages, openWindow },
  };
  const caches = {
    open: async () => ({
      addAll: async (paths: string[]) => paths.forEach((path) => stored.set(path, `cached ${path}`)),
    }),
    keys: async () => [],
    match: async (key: string | { url: string }) =>
      stored.get(typeof key === 'string' ? key : new URL(key.url).pathname),
  };
  vi.stubGlobal('self', self);
  vi.stubGlobal('caches', caches);
  vi.stubGlobal('fetch', request);
  vi.resetModules();
  await import(/* @vite-ignore */ FILE);
});

async function dispatch(type: string, event: object = {}): Promise<unknown> {
  let response: unknown;
  const respondWith = (body: unknown) => {
    response = body;
  };
  handlers.get(type)?.({
    waitUntil: (promise: Promise<unknown>) => work.push(promise),
    respondWith,
    ...event,
  });
  await Promise.all(work);
  return response;
}

const fetchOf = (path: string, mode = 'navigate') =>
  dispatch('fetch', { request: { mode, url: `https://solcallers.test${path}` } });

it('the service worker shows a message with its first line as the title', async () => {
  const url = 'https://solcallers.test/call/1';
  const message = { text: 'New call: WIF\n\nMint: abc\nEntry: $2', url, tag: 'e1' };
  await dispatch('push', { data: { json: () => message } });
  expect(showNotification).toHaveBeenCalledWith('New call: WIF', {
    body: 'Mint: abc\nEntry: $2',
    tag: 'e1',
    data: { url },
    icon: '/icon-192.png',
    badge: '/badge-96.png',
  });
});

it('a click on a notification opens the message’s page, or focuses the page if it is already open', async () => {
  const notification = { close: vi.fn(), data: { url: 'https://solcallers.test/call/1' } };
  await dispatch('notificationclick', { notification });
  expect(openWindow).toHaveBeenCalledWith('https://solcallers.test/call/1');
  const focus = vi.fn();
  pages = [{ url: 'https://solcallers.test/call/1', focus }];
  await dispatch('notificationclick', { notification });
  expect([openWindow.mock.calls.length, focus.mock.calls.length]).toEqual([1, 1]);
});

it('the service worker serves its cached offline page and style only while the network fails', async () => {
  await dispatch('install');
  expect([...stored.keys()]).toEqual(['/offline', '/plain.css', '/favicon.svg']);
  request.mockResolvedValue('from the network');
  expect(await fetchOf('/dashboard')).toBe('from the network');
  request.mockRejectedValue(new TypeError('Failed to fetch'));
  expect(await fetchOf('/dashboard')).toBe('cached /offline');
  expect(await fetchOf('/plain.css', 'no-cors')).toBe('cached /plain.css');
  expect(stored.size).toBe(3);
});

it.each([
  ['/api/user/push', 'cors'],
  ['/api/logout', 'navigate'],
  ['/assets/app.js', 'no-cors'],
])('the service worker doesn’t handle requests for %s', async (path, mode) => {
  expect(await fetchOf(path, mode)).toBeUndefined();
  expect(request).not.toHaveBeenCalled();
});

it('the service worker sends the browser’s new push address to the server', async () => {
  const newSubscription = { endpoint: 'https://push.example/2' };
  await dispatch('pushsubscriptionchange', { newSubscription });
  expect(request).toHaveBeenCalledWith('/api/user/push', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(newSubscription),
  });
});

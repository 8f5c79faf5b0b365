// Shows push messages, and a page without data while the browser is offline. It caches nothing else: responses may be
// personal, and the app's files have their own names for each version.

const SHELL = 'shell-1';
// offline.html, whose address has no ending.
const OFFLINE_PAGE = '/offline';
const SHELL_FILES = [OFFLINE_PAGE, '/plain.css', '/favicon.svg'];

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(SHELL_FILES)));
});

self.addEventListener('activate', (event) => {
  const deleteOld = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name)));
  };
  event.waitUntil(deleteOld());
});

self.addEventListener('fetch', (event) => {
  const { mode, url } = event.request;
  const { pathname } = new URL(url);
  const isShell = SHELL_FILES.includes(pathname);
  // A request of ours would look as if our own page had sent it, such as a sign-out that another site links to.
  const isPage = mode === 'navigate' && !pathname.startsWith('/api/');
  if (!isPage && !isShell) return;
  const findShell = () => caches.match(isShell ? event.request : OFFLINE_PAGE);
  event.respondWith(fetch(event.request).catch(async () => (await findShell()) ?? Response.error()));
});

self.addEventListener('push', (event) => {
  const { text, url, tag } = event.data.json();
  const [title, ...lines] = text.split('\n');
  const options = {
    body: lines.join('\n').trim(),
    tag,
    data: { url },
    icon: '/icon-192.png',
    badge: '/badge-96.png',
  };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const open = async () => {
    const { url } = event.notification.data;
    const pages = await self.clients.matchAll({ type: 'window' });
    const page = pages.find((each) => each.url === url);
    return page ? page.focus() : self.clients.openWindow(url);
  };
  event.waitUntil(open());
});

// The push service has replaced the browser's address.
self.addEventListener('pushsubscriptionchange', (event) => {
  const renew = async () => {
    const { options } = event.oldSubscription ?? {};
    const subscription =
      event.newSubscription ?? (options && (await self.registration.pushManager.subscribe(options)));
    if (!subscription) return;
    const headers = { 'Content-Type': 'application/json' };
    await fetch('/api/user/push', { method: 'PUT', headers, body: JSON.stringify(subscription) });
  };
  event.waitUntil(renew());
});

import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PushDeviceBody } from '#schema/contracts/push.ts';
import { refuse, type FakeRoutes } from '#web/testing/fake-api.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { allOn, signedInUser } from '#web/testing/samples.ts';
import { PushCard } from './push-card.tsx';

const DEVICE: PushDeviceBody = {
  endpoint: 'https://push.example/1',
  keys: { p256dh: 'key', auth: 'secret' },
};
const ROUTE = '/api/user/push';

/** Fakes the browser's Web Push API. */
function fakeBrowser({ isSubscribed = false, response = 'granted' }) {
  const subscription = {
    endpoint: DEVICE.endpoint,
    toJSON: () => DEVICE,
    unsubscribe: vi.fn(async () => setNull()),
  };
  let current: typeof subscription | null = isSubscribed ? subscription : null;
  const setNull = () => {
    current = null;
    return true;
  };
  const pushManager = {
    getSubscription: async () => current,
    subscribe: vi.fn(async () => (current = subscription)),
  };
  const registration = { pushManager };
  const register = vi.fn(async () => registration);
  const serviceWorker = {
    register,
    getRegistration: async () => registration,
    ready: Promise.resolve(registration),
  };
  const notification = {
    permission: 'default',
    requestPermission: async () => (notification.permission = response),
  };
  vi.stubGlobal('Notification', notification);
  vi.stubGlobal('PushManager', Object);
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true });
  return { pushManager, subscription, notification };
}

function show(routes: FakeRoutes = {}, user: Partial<typeof signedInUser> = {}) {
  const settings = { publicKey: 'public', endpoint: null };
  const api = {
    'GET /api/auth/user': signedInUser,
    'GET /api/user/notifications': allOn,
    [`GET ${ROUTE}`]: settings,
    [`PUT ${ROUTE}`]: { ...settings, endpoint: DEVICE.endpoint },
    [`DELETE ${ROUTE}`]: settings,
    ...routes,
  };
  const { bodies } = renderScreen(<PushCard user={{ ...signedInUser, ...user }} />, { api });
  return { bodies: (method: string) => bodies(`${method} ${ROUTE}`) };
}

const isOn = { publicKey: 'public', endpoint: DEVICE.endpoint };
const button = (name: string) => screen.findByRole('button', { name });

beforeEach(() => void fakeBrowser({}));
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

it('push notifications count as off if the server’s push address differs from the browser’s', async () => {
  fakeBrowser({ isSubscribed: true });
  show({ [`GET ${ROUTE}`]: { ...isOn, endpoint: 'https://push.example/old' } });
  expect(await button('Turn On')).toBeTruthy();
});

it('the push card has no notification settings if Telegram is connected', async () => {
  fakeBrowser({ isSubscribed: true });
  show({ [`GET ${ROUTE}`]: isOn }, { telegramConnected: true });
  await button('Turn Off');
  expect(screen.queryByText(/Notifications:/)).toBeNull();
});

it('push notifications stay off if the user denies permission, and the card explains how to allow them', async () => {
  fakeBrowser({ response: 'denied' });
  const { bodies } = show();
  fireEvent.click(await button('Turn On'));
  expect(await screen.findByText(/blocked notifications/)).toBeTruthy();
  expect(bodies('PUT')).toEqual([]);
});

it('the push card says that the browser lacks Web Push, and sends no request', async () => {
  Reflect.deleteProperty(navigator, 'serviceWorker');
  const { bodies } = show();
  expect(await screen.findByText(/can't show notifications/)).toBeTruthy();
  expect(bodies('GET')).toEqual([]);
});

it('the push card says on an iPhone that the site must be on the home screen', async () => {
  Reflect.deleteProperty(navigator, 'serviceWorker');
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)',
  );
  show();
  expect(await screen.findByText(/Add to Home Screen/)).toBeTruthy();
  vi.restoreAllMocks();
});

it('the push card shows the error of a refused change', async () => {
  show({ [`PUT ${ROUTE}`]: () => refuse(422, 'push.service_unknown', 'Use another browser.') });
  fireEvent.click(await button('Turn On'));
  await waitFor(() => expect(screen.getAllByText('Use another browser.').length).toBeGreaterThan(0));
  expect(await button('Turn On')).toBeTruthy();
});

it('the push card gives advice for Brave and private windows if the browser refuses push notifications', async () => {
  const { pushManager } = fakeBrowser({});
  pushManager.subscribe.mockRejectedValue(new DOMException('Registration failed', 'AbortError'));
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Turn On' }));
  await expectToast('Error', /In Brave, turn on .* In a private window, they never work/);
});

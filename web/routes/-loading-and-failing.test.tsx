import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { caller, dashboardApi, savedWallet } from '#web/testing/dashboard-samples.ts';
import { refuse, type FakeRoutes } from '#web/testing/fake-api.ts';
import { openApp } from '#web/testing/render-app.tsx';
import {
  adaListed,
  adaProfile,
  allOn,
  callDetail,
  noProblems,
  profileApi,
  receipt,
  signedInUser,
} from '#web/testing/samples.ts';

const call: FakeRoutes = {
  'GET /api/token-calls/call-1': callDetail,
  'GET /api/token-calls/call-1/chart': { points: [] },
  'GET /api/callers/caller-1': adaProfile,
};
const dashboard: FakeRoutes = { ...dashboardApi, 'GET /api/user/wallets': [savedWallet] };
const connected: FakeRoutes = {
  ...dashboardApi,
  'GET /api/auth/user': { ...caller, telegramHandle: 'ada_tele', telegramConnected: true },
  'GET /api/user/notifications': allOn,
};
const payments: FakeRoutes = {
  'GET /api/auth/user': { ...signedInUser, isCaller: true },
  'GET /api/payments': [receipt],
  'GET /api/payments/earnings': [],
  'GET /api/payments/one': receipt,
  [`GET /api/callers/${signedInUser.id}`]: adaProfile,
};
const operators: FakeRoutes = {
  'GET /api/auth/user': { ...signedInUser, isOperator: true },
  'GET /api/operators/now': noProblems,
  'GET /api/operators/audit': [],
  'GET /api/operators/payment/5sig': noProblems,
};

const SUBSCRIBER = '/dashboard?view=subscriber';
const own = (path: string) => `GET /api/token-calls/caller/${caller.id}/${path}`;

/** Path, responses, the failing route, and the names in "Loading …" and "Failed to load …", if it differs. */
const pages: readonly [string, FakeRoutes, route: string, loading: string | null, failed?: string][] = [
  ['/', { 'GET /api/callers': [adaListed] }, 'GET /api/callers', null, 'callers'],
  ['/recent-calls', {}, 'GET /api/token-calls/ended', 'recent calls...', 'recent calls'],
  ['/caller/ada', profileApi, 'GET /api/callers/ada', 'caller', 'this caller'],
  ['/caller/ada', profileApi, 'GET /api/token-calls/caller/caller-1/history', 'call history'],
  ['/call/call-1', call, 'GET /api/token-calls/call-1', 'call', 'this call'],
  ['/call/call-1', call, 'GET /api/token-calls/call-1/chart', 'chart', 'the chart'],
  ['/payments', payments, 'GET /api/payments', 'payments'],
  ['/payments/earnings', payments, 'GET /api/payments/earnings', 'earnings'],
  ['/payments/one', payments, 'GET /api/payments/one', 'receipt', 'this receipt'],
  ['/dashboard', dashboard, own('active'), 'active calls'],
  ['/dashboard', dashboard, own('history'), 'call history'],
  ['/dashboard', dashboard, `GET /api/callers/${caller.id}`, 'statistics'],
  ['/settings/wallets', dashboard, 'GET /api/user/wallets', null, 'your wallets'],
  ['/settings/notifications', dashboard, 'GET /api/telegram/deliveries', 'Telegram Delivery'],
  ['/settings/sign-ins', dashboard, 'GET /api/user/ways', 'the ways into your account'],
  ['/settings/webhook', dashboard, 'GET /api/user/webhook', 'your webhook'],
  ['/settings/notifications', dashboard, 'GET /api/user/telegram-chats', 'your channel and group'],
  ['/settings/wallets', dashboard, 'GET /api/user/payout-changes', null, 'payout wallet changes.'],
  [SUBSCRIBER, dashboard, 'GET /api/subscriptions/calls', 'active calls'],
  [SUBSCRIBER, dashboard, 'GET /api/subscriptions/my', 'your subscriptions'],
  [
    '/settings/notifications',
    connected,
    'GET /api/user/notifications',
    'notifications',
    'your notifications.',
  ],
  ['/portfolio', payments, 'GET /api/paper-follows', 'your portfolio'],
  ['/operators', operators, 'GET /api/operators/now', 'what users can’t do'],
  ['/operators/audit', operators, 'GET /api/operators/audit', 'the audit'],
  ['/operators/payment/5sig', operators, 'GET /api/operators/payment/5sig', 'this payment'],
];

// Specification 2.56, 2.83, 2.150, 2.151, 4.38, 8.46, 8.47
it.each(pages)(
  'the page %s shows what it loads, then why loading failed, and loads again on Try again',
  async (path, routes, route, loading, failed = `${loading}`) => {
    const failure = Promise.withResolvers<void>();
    let isDown = true;
    openApp(path, {
      'GET /api/token-calls/ended': [],
      ...routes,
      [route]: async () => {
        if (!isDown) return routes[route] ?? [];
        await failure.promise;
        return refuse(500, 'server.failed', 'Our fault.');
      },
    });
    if (loading !== null) await screen.findAllByText(`Loading ${loading}`);
    expect(screen.queryByText(/^Failed to load/)).toBeNull();
    failure.resolve();
    const title = `Failed to load ${failed}`;
    const [shown] = await screen.findAllByText(title);
    const alert = shown?.closest('[role=alert]');
    if (!failed.endsWith('.')) expect(alert?.textContent).toContain('Our fault.');
    expect(screen.queryByText(`Loading ${loading}`)).toBeNull();
    isDown = false;
    for (const button of screen.getAllByRole('button', { name: 'Try again' })) fireEvent.click(button);
    await waitFor(() => expect(screen.queryByText(/^Failed to load/)).toBeNull());
  },
);

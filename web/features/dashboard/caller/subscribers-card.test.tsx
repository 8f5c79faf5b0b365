import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Subscriber } from '#schema/contracts/subscriptions.ts';
import { caller, profile } from '#web/testing/dashboard-samples.ts';
import { inPages, refuse } from '#web/testing/fake-api.ts';
import { findRows, hrefOf, textsOf } from '#web/testing/find-in-page.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { SubscribersCard } from './subscribers-card.tsx';

const ROUTE = 'GET /api/payments/subscribers';
const named: Subscriber = {
  id: 'grace',
  subscriber: { firstName: 'Grace', lastName: 'Hopper', twitterHandle: 'grace' },
  since: '2026-08-02T12:00:00.000Z',
  until: '2026-11-28T12:00:00.000Z',
  renewals: 3,
};
const deleted: Subscriber = { ...named, id: 'deleted', subscriber: null, renewals: 0 };

const show = (response: unknown) =>
  renderScreen(<SubscribersCard callerId={caller.id} />, {
    api: { [ROUTE]: response, [`GET /api/callers/${caller.id}`]: profile },
  }).calls;
const choose = async (label: string) => fireEvent.click(await screen.findByRole('radio', { name: label }));

it('SubscribersCard shows who pays, with dates and renewals, and the number of followers', async () => {
  show([named, deleted]);
  const rows = await findRows('Subscribers');
  expect(textsOf(rows)).toEqual([
    'Grace Hopper@gracesince Aug 2, 2026 · 3 renewalsAug 2, 20263until Nov 28, 2026',
    'Deleted accountsince Aug 2, 2026 · 0 renewalsAug 2, 20260until Nov 28, 2026',
  ]);
  expect(hrefOf('@grace')).toMatch(/\/grace$/);
  expect(hrefOf('Download CSV')).toBe('/api/payments/subscribers.csv');
  expect(await screen.findByText('and 2 followers')).toBeTruthy();
});

it.each([
  ['Running', 'No subscribers yet'],
  ['Ends this week', 'No subscription ends this week'],
  ['Ended', 'No subscription has ended'],
])('SubscribersCard says under %s that nobody is listed, without a download', async (label, text) => {
  show([]);
  await choose(label);
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Download CSV' })).toBeNull();
});

it('SubscribersCard asks for those who end this week, and shows more of them', async () => {
  const calls = show(inPages([], [named], [deleted]));
  await choose('Ends this week');
  fireEvent.click(await screen.findByRole('button', { name: 'Show more subscribers' }));
  await waitFor(async () => expect(await findRows('Subscribers')).toHaveLength(2));
  expect(calls.filter(({ route }) => route === ROUTE).map(({ search }) => search)).toEqual([
    '?limit=6&show=running',
    '?limit=6&show=ending',
    '?cursor=page%2F3&show=ending',
  ]);
});

it('SubscribersCard says that subscribers didn’t load, and loads them again', async () => {
  const responses = [refuse(500, 'server.failed', 'Our fault.')];
  show(() => responses.pop() ?? [named]);
  await screen.findByText('Our fault.');
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await findRows('Subscribers')).toHaveLength(1);
});

import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Subscriber } from '#schema/contracts/subscriptions.ts';
import { caller, profile } from '#web/testing/dashboard-samples.ts';
import { inPages, refuse } from '#web/testing/fake-api.ts';
import { findRows, hrefOf, textsOf } from '#web/testing/find-in-page.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { SubscribersCard } from './subscribers-card.tsx';

const DOWNLOAD = 'Download running as CSV';
const ROUTE = 'GET /api/payments/subscribers';
const named: Subscriber = {
  id: 'grace',
  subscriber: { firstName: 'Grace', lastName: 'Hopper', twitterHandle: 'grace' },
  since: '2026-08-02T10:00:00.000Z',
  until: '2026-11-28T10:00:00.000Z',
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
  expect(hrefOf(DOWNLOAD)).toBe('/api/payments/subscribers.csv');
  expect(await screen.findByText('and 2 followers')).toBeTruthy();
});

it.each([
  ['Running', 'No subscribers yet', false],
  ['Ends in 7 days', 'No subscription ends within 7 days', true],
  ['Ended', 'No subscription has ended', true],
])(
  'SubscribersCard says under %s that nobody is listed, and offers the running ones if there may be some',
  async (label, text, canDownload) => {
    show([]);
    await choose(label);
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByRole('link', { name: DOWNLOAD }) !== null).toBe(canDownload);
  },
);

it('SubscribersCard asks for those who end in 7 days, and shows more of them', async () => {
  const calls = show(inPages([], [named], [deleted]));
  await choose('Ends in 7 days');
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

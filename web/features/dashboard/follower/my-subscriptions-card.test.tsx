import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { MySubscription } from '#schema/contracts/subscriptions.ts';
import { stubApi } from '#web/testing/fake-api.ts';
import { textsOf } from '#web/testing/find-in-page.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { DashboardPage } from '../dashboard-page.tsx';
import { caller, dashboardApi, expired, profile, subscriber } from '#web/testing/dashboard-samples.ts';

/** Noon in the test machine's time zone. */
const now = new Date(2026, 10, 21, 12).getTime();

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now }));

/** A subscription that ends `distance` ms from now. */
const ending = (distance: number, name: string, change: Partial<MySubscription> = {}): MySubscription => ({
  ...expired,
  id: name,
  callerId: name,
  caller: { ...expired.caller, id: name, firstName: name, lastName: 'Sample' },
  status: distance > 0 ? 'active' : 'expired',
  isActive: distance > 0,
  isCurrentlyActive: distance > 0,
  endDate: new Date(now + distance).toISOString(),
  ...change,
});

function show(subscriptions: readonly MySubscription[], user = subscriber, payingIds: string[] = []) {
  stubApi({
    ...dashboardApi,
    'GET /api/subscriptions/my': subscriptions,
    'GET /api/callers/lena': { ...profile, id: 'lena', firstName: 'Lena', lastName: 'Sample' },
  });
  const onSubscribe = vi.fn();
  renderScreen(
    <DashboardPage
      user={user}
      token={undefined}
      view={undefined}
      onSubscribe={onSubscribe}
      onUnfollow={vi.fn()}
      isUnfollowing={() => false}
      isPaying={(callerId) => payingIds.includes(callerId)}
      payingIds={payingIds}
      onViewChange={vi.fn()}
      renderShare={() => null}
    />,
  );
  return onSubscribe;
}

const rows = async () =>
  within(await screen.findByRole('list', { name: 'Your Subscriptions' })).getAllByRole('listitem');
const nextStep = () => screen.getByRole('region', { name: 'What to do next' });
const isAccented = (button: HTMLElement) => button.className.includes('bg-accent');

// Specification 2.82, 4.8
it.each([
  ['that ends in 20 days', 20 * DAY_MS, 'Active', 'until Dec 11, 2026', false],
  ['that ends in a week', 7 * DAY_MS, 'Ends in 7 days', 'until Nov 28, 2026', true],
  ['that ends tonight', 6 * HOUR_MS, 'Ends today', 'until Nov 21, 2026, 6:00 PM', true],
  ['that ended long ago', -100 * DAY_MS, 'Expired', 'since Aug 13, 2026', true],
])(
  'a subscription %s shows its status, and a renew button that is accented near and after its end',
  async (_what, distance, state, when, hasAccent) => {
    const onSubscribe = show([ending(distance, 'Grace')]);
    const [row] = await rows();
    expect(row?.textContent).toContain(`Grace Sample${state}${when}0.5 SOL`);
    const button = within(row as HTMLElement).getByRole('button', { name: 'Renew Grace Sample' });
    expect([button.textContent, isAccented(button)]).toEqual(['Renew', hasAccent]);
    fireEvent.click(button);
    expect(onSubscribe).toHaveBeenCalledWith({
      ...ending(distance, 'Grace').caller,
      monthlyFee: '0.5',
      canBeSubscribed: true,
      accessEndsAt: new Date(now + distance).toISOString(),
    });
  },
);

it('a subscription that ends while the page is open becomes Expired', async () => {
  show([ending(MINUTE_MS / 4, 'Grace')]);
  expect((await rows())[0]?.textContent).toContain('Ends today');
  vi.advanceTimersByTime(MINUTE_MS);
  expect(await screen.findByText('Expired')).toBeDefined();
  expect(screen.queryByText('Ends today')).toBeNull();
});

it('a subscription cannot be renewed near its end while the caller has no payout wallet', async () => {
  show([ending(DAY_MS, 'Grace', { canBeSubscribed: false })]);
  const [row] = await rows();
  expect(within(row as HTMLElement).getByRole<HTMLButtonElement>('button').disabled).toBe(true);
  expect(row?.textContent).toContain('Not open yet');
  expect(within(nextStep()).queryByRole('button', { name: /Renew/ })).toBeNull();
});

it('the list of subscriptions begins with those that ended recently or end soon, sorted by their end', async () => {
  show([
    ending(20 * DAY_MS, 'Far'),
    ending(-10 * DAY_MS, 'Gone'),
    ending(5 * DAY_MS, 'Soon'),
    ending(-DAY_MS, 'Late'),
    ending(30 * DAY_MS, 'Open', { endDate: null, monthlyFee: null }),
    ending(HOUR_MS, 'Now'),
  ]);
  const names = (await rows()).map((row) => within(row).getByRole('link').textContent);
  expect(names.join()).toBe('Late Sample,Now Sample,Soon Sample,Far Sample,Gone Sample,Open Sample');
});

it.each([
  ['ends within a week', 5 * DAY_MS, 'ends in 5 days, on Nov 26, 2026.'],
  ['ends today', 2 * HOUR_MS, 'ends today, on Nov 21, 2026, 2:00 PM.'],
  ['ended two days ago', -2 * DAY_MS - HOUR_MS, 'ended on Nov 19, 2026.'],
])('the next step is a subscription that %s, with a Renew button', async (_what, distance, text) => {
  const onSubscribe = show([ending(20 * DAY_MS, 'Far'), ending(distance, 'Grace')]);
  await rows();
  expect(nextStep().textContent).toBe(`Your subscription to Grace Sample ${text}Renew`);
  fireEvent.click(within(nextStep()).getByRole('button', { name: 'Renew Grace Sample' }));
  expect(onSubscribe).toHaveBeenCalledWith(
    expect.objectContaining({ id: 'Grace', accessEndsAt: new Date(now + distance).toISOString() }),
  );
});

it('the next step names the subscription that ends first', async () => {
  show([ending(5 * DAY_MS, 'Soon'), ending(HOUR_MS, 'Now'), ending(-DAY_MS, 'Late')]);
  await rows();
  expect(nextStep().textContent).toBe('Your subscription to Late Sample ended on Nov 20, 2026.Renew');
});

it('the next step is no subscription while none ends soon', async () => {
  show([
    ending(7 * DAY_MS + 1, 'Far'),
    ending(-3 * DAY_MS, 'Gone'),
    ending(30 * DAY_MS, 'Open', { endDate: null, monthlyFee: null }),
    ending(DAY_MS, 'Free', { monthlyFee: null }),
  ]);
  await rows();
  expect(nextStep().textContent).not.toContain('subscription');
});

it('a running subscription shows how many silent days of its caller were added', async () => {
  show([
    ending(20 * DAY_MS, 'Quiet', { silentDays: 2 }),
    ending(-DAY_MS, 'Gone', { silentDays: 1 }),
    ending(DAY_MS, 'Loud'),
  ]);
  await rows();
  expect(textsOf(screen.getAllByText(/silent days? added/))).toEqual(['2 silent days added']);
});

it('the next step is a subscription that ends soon in the caller view, too', async () => {
  show([ending(DAY_MS, 'Grace')], caller);
  await screen.findByText(/ends tomorrow/);
  expect(nextStep().textContent).toContain('ends tomorrow');
  expect(screen.queryByRole('list', { name: 'Your Subscriptions' })).toBeNull();
});

it('a signed payment in progress is listed for a caller without a subscription, and opens the dialog', async () => {
  const onSubscribe = show([], subscriber, ['lena']);
  fireEvent.click(await screen.findByRole('button', { name: 'Payment in progress: Lena Sample' }));
  expect(onSubscribe).toHaveBeenCalledWith(expect.objectContaining({ id: 'lena' }));
});

it('a signed payment in progress that renews a subscription is listed only once', async () => {
  show([ending(DAY_MS, 'Grace')], subscriber, ['Grace']);
  await rows();
  expect(screen.queryByRole('list', { name: 'Payments in progress' })).toBeNull();
  const list = within(screen.getByRole('list', { name: 'Your Subscriptions' }));
  expect(list.getAllByRole('button', { name: 'Payment in progress: Grace Sample' })).toHaveLength(1);
});

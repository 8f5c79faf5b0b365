import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { NotificationSettings } from '#schema/contracts/notifications.ts';
import { type FakeRoutes, refuse } from '#web/testing/fake-api.ts';
import { hrefOf } from '#web/testing/find-in-page.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { ada, allOn } from '#web/testing/samples.ts';
import { NotificationChoices } from './notification-choices.tsx';

const READ = 'GET /api/user/notifications';
const SWITCH = 'PATCH /api/user/notifications';
const UNMUTE = `DELETE /api/user/notifications/mutes/${ada.id}`;
const grace = { ...ada, id: 'caller-2', firstName: 'Grace', lastName: 'Hopper' };
const withoutEnds: NotificationSettings = { ...allOn, kinds: { ...allOn.kinds, call_ended: false } };

function show({ isCaller = false, ...api }: FakeRoutes & { isCaller?: boolean } = {}) {
  return renderScreen(<NotificationChoices isCaller={isCaller} />, { api: { [READ]: allOn, ...api } });
}

const findSwitch = (name: string) => screen.findByRole<HTMLInputElement>('switch', { name });
const summary = async (what: string) =>
  (
    await screen.findByText(
      (_text, element) => element?.tagName === 'SUMMARY' && element.textContent.startsWith(what),
    )
  ).textContent;

it('the notification settings include a switch with a description for each kind of message', async () => {
  show();
  const list = within(await screen.findByRole('list', { name: 'Notifications' }));
  const text = list
    .getAllByRole<HTMLInputElement>('switch')
    .map((input) => [
      ...['aria-labelledby', 'aria-describedby'].map(
        (name) => document.getElementById(input.getAttribute(name) ?? '')?.textContent,
      ),
      input.checked,
    ]);
  expect(text).toEqual([
    ['New calls', 'As soon as a caller you follow makes a call.', true],
    ['Ended calls', 'When a caller you follow or have on paper ends a call, with its result.', true],
    ['Call updates', 'Messages from callers about their active calls.', true],
    ['Targets and stops', "When the price reaches an active call's target or stop.", true],
    ['Subscription ending soon', 'A week before it ends, and again a day before.', true],
    ['Subscription ended', 'When it has ended and its calls stop.', true],
    [
      'Each call once',
      "Calls, updates and ends in a caller's channel or group that you're in come only there. Off: in private, too.",
      true,
    ],
  ]);
  expect(await summary('Notifications')).toBe('Notifications: all 7');
  expect(screen.queryByText(/payout wallet/)).toBeNull();
});

it('the notification settings of a caller include a switch for payments and the note on payout wallet changes', async () => {
  show({ isCaller: true, [READ]: withoutEnds });
  expect((await findSwitch('Payments you receive')).checked).toBe(true);
  expect((await findSwitch('Ended calls')).checked).toBe(false);
  expect(await summary('Notifications')).toBe('Notifications: 7 of 8');
  expect(screen.getByText('You always get a message when your payout wallet changes.')).toBeDefined();
});

it('the notification settings change at once, and are then replaced by the settings in the response', async () => {
  const response = Promise.withResolvers<unknown>();
  const { bodies } = show({ [SWITCH]: () => response.promise });
  fireEvent.click(await findSwitch('Ended calls'));
  await waitFor(async () => expect((await findSwitch('Ended calls')).checked).toBe(false));
  expect(await summary('Notifications')).toBe('Notifications: 6 of 7');
  expect(bodies(SWITCH)).toEqual([{ kind: 'call_ended', isOn: false }]);
  response.resolve({ ...withoutEnds, kinds: { ...withoutEnds.kinds, call_update: false } });
  await waitFor(async () => expect((await findSwitch('Call updates')).checked).toBe(false));
  expect((await findSwitch('Ended calls')).checked).toBe(false);
});

it('the notification settings undo only the refused change of two quick changes', async () => {
  const areOn = () =>
    Promise.all(['Ended calls', 'Call updates'].map(async (name) => (await findSwitch(name)).checked));
  const response = Promise.withResolvers<unknown>();
  const { bodies } = show({
    [SWITCH]: ({ kind }: { kind: string }) =>
      kind === 'call_ended' ? response.promise : { ...allOn, kinds: { ...allOn.kinds, call_update: false } },
  });
  fireEvent.click(await findSwitch('Ended calls'));
  fireEvent.click(await findSwitch('Call updates'));
  await waitFor(async () => expect(await areOn()).toEqual([false, false]));
  expect(bodies(SWITCH)).toHaveLength(1);
  response.resolve(refuse(500, 'server.failed', 'Something went wrong.'));
  await expectToast('Error', 'Something went wrong.');
  await waitFor(() => expect(bodies(SWITCH)).toHaveLength(2));
  await waitFor(async () => expect(await areOn()).toEqual([true, false]));
});

it('the empty list of muted callers explains how to mute a caller', async () => {
  show();
  expect(await summary('Muted callers')).toBe('Muted callers: none');
  screen.getByText(/press the bell next to them in Your Subscriptions or on their profile\.$/);
});

it('the list of muted callers gets the focus after a click on Unmute removes a row', async () => {
  const { bodies } = show({
    [READ]: { ...allOn, mutedCallers: [ada, grace] },
    [UNMUTE]: { ...allOn, mutedCallers: [grace] },
  });
  expect(await summary('Muted callers')).toBe('Muted callers: 2');
  expect(hrefOf('Ada Byron')).toBe('/caller/caller-1');
  fireEvent.click(screen.getByRole('button', { name: 'Unmute Ada Byron' }));
  await waitFor(() => expect(screen.queryByText('Ada Byron')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Muted callers' }));
  await waitFor(() => expect(bodies(UNMUTE)).toHaveLength(1));
  const [unmute, ...more] = screen.getAllByRole('button', { name: /^Unmute/ });
  expect([unmute?.getAttribute('aria-label'), more]).toEqual(['Unmute Grace Hopper', []]);
});

it('a caller stays muted, with an error, when unmuting fails', async () => {
  show({ [READ]: { ...allOn, mutedCallers: [ada] }, [UNMUTE]: () => new Response('', { status: 503 }) });
  fireEvent.click(await screen.findByRole('button', { name: 'Unmute Ada Byron' }));
  await expectToast('Error', 'Failed to update notifications');
  expect(await screen.findByRole('button', { name: 'Unmute Ada Byron' })).toBeDefined();
});

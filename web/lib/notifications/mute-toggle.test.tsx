import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type FakeRoutes, refuse } from '#web/testing/fake-api.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { subscriber } from '#web/testing/dashboard-samples.ts';
import { ada, adaProfile, allOn } from '#web/testing/samples.ts';
import { MuteToggle } from './mute-toggle.tsx';

const USER = 'GET /api/auth/user';
const READ = 'GET /api/user/notifications';
const MUTE = `PUT /api/user/notifications/mutes/${ada.id}`;
const UNMUTE = `DELETE /api/user/notifications/mutes/${ada.id}`;
const muted = { ...allOn, mutedCallers: [ada] };

const show = (api: FakeRoutes) =>
  renderScreen(<MuteToggle caller={adaProfile} />, {
    api: { [USER]: { ...subscriber, telegramConnected: true }, [READ]: allOn, ...api },
  });
const bell = () => screen.findByRole('button', { name: 'Mute Ada Byron on Telegram' });
const isPressed = async () => (await bell()).getAttribute('aria-pressed');

it('the mute button changes immediately when a caller is muted and unmuted', async () => {
  let response: (value: unknown) => void = () => {};
  const { routes } = show({ [MUTE]: () => new Promise((resolve) => (response = resolve)), [UNMUTE]: allOn });
  expect([await isPressed(), (await bell()).title]).toEqual(['false', 'Mute Ada Byron on Telegram']);
  fireEvent.click(await bell());
  await waitFor(async () => expect(await isPressed()).toBe('true'));
  expect((await bell()).title).toBe('Unmute Ada Byron on Telegram');
  response(muted);
  fireEvent.click(await bell());
  await waitFor(async () => expect(await isPressed()).toBe('false'));
  await waitFor(() => expect(routes()).toEqual([USER, READ, MUTE, UNMUTE]));
});

it('the mute button changes back and shows the server’s reason when a change is refused', async () => {
  show({ [READ]: muted, [UNMUTE]: () => refuse(404, 'callers.not_found', 'There is no such caller.') });
  fireEvent.click(await bell());
  await expectToast('Error', 'There is no such caller.');
  await waitFor(async () => expect(await isPressed()).toBe('true'));
});

it('the mute button is hidden while the settings load and if they fail to load', async () => {
  const { routes } = show({ [READ]: () => refuse(500, 'server.failed', 'x') });
  expect(screen.queryByRole('button')).toBeNull();
  await waitFor(() => expect(routes()).toEqual([USER, READ]));
  expect(screen.queryByRole('button')).toBeNull();
});

import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatInvitation } from '#schema/contracts/telegram-access.ts';
import { refuse, signedOut, type FakeRoutes } from '#web/testing/fake-api.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { visitor } from '#web/testing/samples.ts';
import { JoinPage } from './join-page.tsx';

const invitation: ChatInvitation = {
  title: 'Alpha',
  kind: 'group',
  telegramName: 'Grace',
  callerUsername: 'ada',
  isReplacing: false,
};
const INVITATION = 'GET /api/telegram/join/token';
const api: FakeRoutes = { 'GET /api/auth/user': visitor, [INVITATION]: invitation };
const show = (routes: FakeRoutes = {}) =>
  renderScreen(<JoinPage token="token" />, { api: { ...api, ...routes } });

it('a link to join asks a visitor to sign in first', async () => {
  show({ 'GET /api/auth/user': signedOut() });
  expect(await screen.findByRole('link', { name: 'Sign in with Twitter' })).toBeDefined();
});

it('a link to join connects the named Telegram account after one press', async () => {
  const { bodies } = show({
    [INVITATION]: { ...invitation, isReplacing: true },
    'POST /api/telegram/join': { callerUsername: 'ada', hasAccess: false },
  });
  expect(await screen.findByText('Grace')).toBeDefined();
  expect(screen.getByText(/^It replaces the Telegram account/)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Connect this Telegram and subscribe to @ada' }));
  await expect.poll(() => bodies('POST /api/telegram/join')).toEqual([{ token: 'token' }]);
});

it('a link to join that doesn’t work anymore says what to do', async () => {
  show({ [INVITATION]: refuse(404, 'telegram.join_link_dead', 'Ask to join again in Telegram.') });
  expect(await screen.findByText('Ask to join again in Telegram.')).toBeDefined();
});

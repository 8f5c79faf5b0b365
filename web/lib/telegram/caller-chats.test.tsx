import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type FakeRoutes, refuse } from '#web/testing/fake-api.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { adaListed, signedInUser } from '#web/testing/samples.ts';
import { CallerChats } from './caller-chats.tsx';

const CHATS = `GET /api/callers/${adaListed.id}/telegram-chats`;
const CONNECT = 'POST /api/user/telegram-connect';
const chats = [{ kind: 'group', title: 'Alpha', url: 'https://t.me/+alpha' }];
const startUrl = 'https://t.me/bot?start=nonce';

const show = (routes: FakeRoutes = {}, monthlyFee: string | null = '0.5') =>
  renderScreen(<CallerChats caller={{ id: adaListed.id, monthlyFee }} />, {
    api: { 'GET /api/auth/user': signedInUser, [CHATS]: chats, ...routes },
  });
const connected = { 'GET /api/auth/user': { ...signedInUser, telegramConnected: true } };

it('a subscriber without Telegram gets a Start link, requested with their saved username', async () => {
  const user = { ...signedInUser, telegramHandle: 'vi_tele' };
  const { bodies } = show({
    'GET /api/auth/user': user,
    [CONNECT]: { message: '', telegramHandle: 'vi_tele', startUrl },
  });
  expect(await screen.findByText(/^To get into/)).toHaveProperty(
    'textContent',
    'To get into the group Alpha, open the bot on Telegram and press Start once.',
  );
  expect(screen.queryByRole('link')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Connect Telegram' }));
  const link = await screen.findByRole('link', { name: 'Open the bot' });
  expect(link.getAttribute('href')).toBe(startUrl);
  expect(bodies(CONNECT)).toEqual([{ telegramHandle: 'vi_tele' }]);
});

it('a refused request for a Start link shows the server’s reason', async () => {
  show({ [CONNECT]: refuse(429, 'request.rate_limited', 'Too many requests. Wait a minute.') });
  fireEvent.click(await screen.findByRole('button', { name: 'Connect Telegram' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Too many requests. Wait a minute.');
});

it.each<[string, FakeRoutes, string | null]>([
  ['a Paid caller, if Telegram is connected', connected, '0.5'],
  ['a Free caller, whose chats let everybody in', {}, null],
])('a viewer gets links to the Telegram chats of %s', async (_whose, routes, monthlyFee) => {
  show(routes, monthlyFee);
  const link = await screen.findByRole('link', { name: 'Open the group Alpha' });
  expect(link.getAttribute('href')).toBe('https://t.me/+alpha');
});

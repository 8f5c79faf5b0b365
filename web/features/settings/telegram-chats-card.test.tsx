import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { TelegramChat, TelegramChats } from '#schema/contracts/telegram-chats.ts';
import { refuse, type FakeRoutes } from '#web/testing/fake-api.ts';
import { hrefOf } from '#web/testing/find-in-page.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { TelegramChatsCard } from './telegram-chats-card.tsx';

const LIST = 'GET /api/user/telegram-chats';
const URL = '/api/user/telegram-chats/-1001';
const addUrls = { channel: 'https://t.me/a_bot?startchannel', group: 'https://t.me/a_bot?startgroup' };
const channel: TelegramChat = {
  id: '-1001',
  kind: 'channel',
  title: 'Alpha',
  topicName: null,
  problem: null,
  removesOthers: true,
  postsRecap: false,
  joinLink: 'https://t.me/+alpha',
};

const listOf = (...chats: TelegramChat[]): TelegramChats => ({ chats, addUrls });

function show(chats: TelegramChat[], { api = {}, isPaid = true, telegramConnected = true } = {}) {
  return renderScreen(<TelegramChatsCard user={{ telegramConnected, monthlyFee: isPaid ? '1' : null }} />, {
    api: { [LIST]: listOf(...chats), ...api } satisfies FakeRoutes,
  });
}

it('the Telegram chats card has a link to add the bot to a channel, and a link for a group', async () => {
  show([]);
  expect(await screen.findByText(/^The bot posts each call once.*It must be private/)).toBeDefined();
  expect(hrefOf('Add to a channel')).toBe(addUrls.channel);
  expect(hrefOf('Add to a group')).toBe(addUrls.group);
});

it('the Telegram chats card asks a caller without Telegram to connect it first', async () => {
  show([], { telegramConnected: false });
  await screen.findByText(/^The bot can post your calls/);
  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([['Connect Telegram', '#telegram']]);
});

it('a caller with a connected channel can change the channel’s settings and add a group on the Telegram chats card', async () => {
  const { bodies } = show([channel], {
    api: { [`PATCH ${URL}`]: listOf({ ...channel, removesOthers: false }) },
  });
  expect(await screen.findByText('Connected')).toBeDefined();
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['Add to a group']);
  expect(screen.getByText('https://t.me/+alpha')).toBeDefined();
  fireEvent.click(screen.getByRole('switch', { name: 'Remove others' }));
  expect(await screen.findByRole('switch', { name: 'Remove others', checked: false })).toBeDefined();
  expect(bodies(`PATCH ${URL}`)).toEqual([{ removesOthers: false }]);
});

it('the Telegram chats card of a Free caller has no switch to remove others and no invite link', async () => {
  show([channel], { isPaid: false });
  expect(await screen.findAllByRole('switch')).toHaveLength(1);
  expect(screen.queryByText('https://t.me/+alpha')).toBeNull();
});

it('the Telegram chats card names the topic, and New link replaces the link for subscribers', async () => {
  const group: TelegramChat = { ...channel, kind: 'group', topicName: 'Calls' };
  const { bodies } = show([group], {
    api: { [`PATCH ${URL}`]: listOf({ ...group, joinLink: 'https://t.me/+beta' }) },
  });
  expect((await screen.findByText('Calls')).parentElement?.textContent).toBe('Group, topic Calls');
  fireEvent.click(screen.getByRole('button', { name: 'New link' }));
  expect(await screen.findByText('https://t.me/+beta')).toBeDefined();
  expect(screen.queryByText('https://t.me/+alpha')).toBeNull();
  expect(bodies(`PATCH ${URL}`)).toEqual([{ newLink: true }]);
});

it('a caller who became Paid is asked to confirm that a Telegram chat is for subscribers only', async () => {
  const { bodies } = show([{ ...channel, problem: 'unconfirmed' }], {
    api: { [`PATCH ${URL}`]: listOf(channel) },
  });
  expect(within(await screen.findByRole('alert')).getByText(/^You charge a fee now/)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Confirm: for subscribers only' }));
  expect(await screen.findByText('Connected')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(bodies(`PATCH ${URL}`)).toEqual([{ confirmsPaid: true }]);
});

it('disconnecting a Telegram chat asks for confirmation and shows the reason for a failure', async () => {
  let isRefused = true;
  const { routes } = show([channel], {
    api: {
      [`DELETE ${URL}`]: () =>
        isRefused ? refuse(404, 'telegram.chat_not_found', 'Not connected anymore.') : listOf(),
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Disconnect this channel' }));
  expect(routes()).toEqual([LIST]);
  fireEvent.click(screen.getByRole('button', { name: 'Disconnect' }));
  await expectToast('Error', 'Not connected anymore.');
  isRefused = false;
  fireEvent.click(screen.getByRole('button', { name: 'Disconnect' }));
  expect(await screen.findByRole('link', { name: 'Add to a channel' })).toBeDefined();
});

it('the people without access to a Telegram chat are loaded when their list is opened', async () => {
  const since = '2026-05-01T00:00:00.000Z';
  const others = [
    { id: '7', name: 'Grace', isAdmin: false, since },
    { id: '8', name: '', isAdmin: true, since },
  ];
  const { routes } = show([channel], { api: { [`GET ${URL}/others`]: others } });
  const fold = await screen.findByText('People without access');
  expect(routes()).not.toContain(`GET ${URL}/others`);
  fireEvent.click(fold);
  expect(await screen.findByText('Grace')).toBeDefined();
  expect(screen.getByText('Telegram id 8')).toBeDefined();
});

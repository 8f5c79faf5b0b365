import { expect, test } from 'vitest';
import { localBot } from './local-bot.ts';
import { ACCESS_RIGHTS, type TestProduct, type TestTelegram, useTestTelegram } from './test-product.ts';

let product: TestProduct;
let telegram: TestTelegram;
useTestTelegram((scene) => void ({ product, telegram } = scene));

const open = async (path: string): Promise<string> => (await telegram.environment.request(path)).body;
const post = async (form: string, fields: Record<string, string>, page = '/telegram') => {
  const { request, url } = telegram.environment;
  const headers = { origin: url, referer: `${url}${page}` };
  const body = new URLSearchParams(fields);
  const { headers: sent } = await request(`/telegram/_chat/${form}`, { method: 'POST', headers, body });
  return sent.get('location') ?? '';
};
/** The shown text, without markup. */
const textOf = (page: string) =>
  page.replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

test('the local Telegram shows a channel’s messages and buttons to members only', async () => {
  const chatId = await telegram.newChat('channel', { members: ['member_tele'] });
  await telegram.promoteBot(chatId);
  const reply_markup = { inline_keyboard: [[{ text: 'Buy', url: 'https://example.com/buy' }]] };
  await telegram.bot('sendMessage', {
    chat_id: chatId,
    text: '<b>BONK</b> +38.2%',
    protect_content: true,
    reply_markup,
  });
  const page = await open(`/telegram?as=member_tele&chat=${chatId}`);
  expect(textOf(page)).toMatch(/Alpha &lt;b&gt;BONK&lt;\/b&gt; \+38\.2% Forwarding not allowed 15:09 Buy/);
  expect(page).toContain('href="https://example.com/buy"');
  expect(page).not.toContain('name="text"');
  const outside = await open(`/telegram?as=stranger_tele&chat=${chatId}`);
  expect(outside).not.toContain('BONK');
  expect(textOf(outside)).toContain('You need an invite link');
});

test('a person without a username can open an invite link, ask to join and press a button of the bot', async () => {
  const chatId = await telegram.newChat('supergroup');
  await telegram.promoteBot(chatId, ACCESS_RIGHTS);
  const created = await telegram.bot('createChatInviteLink', { chat_id: chatId, creates_join_request: true });
  const link: string = created.result.invite_link;
  const { pathname } = new URL(link);
  expect(textOf(await open(pathname))).toContain('Or your name, without a username');
  const invitation = await post('user', { firstName: 'Nina', pathname });
  expect(textOf(await open(invitation))).toContain('Request to join');
  const as = new URL(invitation, 'http://local').searchParams.get('as') ?? '';
  const asked = await post('act', { action: 'join', as, link });
  expect(textOf(await open(asked))).toContain('You asked to join. An administrator has to approve it.');
  expect(product.updates('chat_join_request')).toMatchObject([{ user_chat_id: Number(as) }]);
  const reply_markup = { inline_keyboard: [[{ text: 'Confirm', callback_data: 'c:1' }]] };
  const { result } = await telegram.bot('sendMessage', { chat_id: Number(as), text: 'Pay', reply_markup });
  const messageId = String(result.message_id);
  const pressed = await post('act', { action: 'press', as, chatId: as, messageId, button: 'c:1' });
  const { id } = product.updates('callback_query')[0];
  await telegram.bot('answerCallbackQuery', { callback_query_id: id, text: 'Confirmed' });
  expect(textOf(await open(pressed))).toContain('Confirmed');
});

test('a startgroup link adds the bot to a group with the requested rights and sends /start there', async () => {
  const chatId = await telegram.newChat('supergroup');
  const page = `/telegram/${localBot.username}?startgroup=nonce&admin=invite_users+restrict_members&as=owner_tele`;
  const text = await open(page);
  expect(textOf(text)).toContain('As an administrator with the rights: invite users, restrict members.');
  await post('act', {
    action: 'add-bot',
    as: 'owner_tele',
    chatId: String(chatId),
    rights: 'invite_users restrict_members',
    payload: 'nonce',
  });
  expect(product.updates('my_chat_member')[0].new_chat_member).toMatchObject({
    status: 'administrator',
    can_invite_users: true,
    can_restrict_members: true,
    can_delete_messages: false,
  });
  expect(product.updates('message').at(-1).text).toBe(`/start@${localBot.username} nonce`);
});

test('the owner can create a chat and change the bot’s rights, and sees why an action was refused', async () => {
  const chat = await post('new', { as: 'owner_tele', title: 'Calls', type: 'channel' });
  const chatId = new URL(chat, 'http://local').searchParams.get('chat') ?? '';
  const rights = { action: 'promote', as: 'owner_tele', chatId, user: String(localBot.id) };
  await post('act', { ...rights, rights: 'can_post_messages' });
  expect(product.updates('my_chat_member')[0].new_chat_member.can_post_messages).toBe(true);
  const page = `/telegram?as=owner_tele&chat=${chatId}`;
  expect(await open(page)).toMatch(/value="can_post_messages"\s+checked/);
  const refused = await post('act', { action: 'migrate', as: 'owner_tele', chatId }, page);
  expect(textOf(await open(refused))).toContain('Only a basic group can be upgraded.');
  const form = { action: 'write', as: 'owner_tele', chatId, text: 'x' };
  const { request } = telegram.environment;
  const foreign = await request('/telegram/_chat/act', {
    method: 'POST',
    headers: { origin: product.url },
    body: new URLSearchParams(form),
  });
  expect(foreign.status).toBe(403);
});

test('the local Telegram opens public chats and links to messages, and explains expired invite links', async () => {
  const chatId = await telegram.newChat('channel', { username: 'alpha_public' });
  expect(textOf(await open('/telegram/alpha_public?as=stranger_tele'))).toContain(
    '@alpha_public, 1 subscribers',
  );
  const { headers } = await telegram.environment.request(`/telegram/c/${String(chatId).slice(4)}/2`);
  expect(headers.get('location')).toBe(`/telegram?chat=${chatId}`);
  const expired = await telegram.environment.request('/telegram/+nothing');
  const unknown = await telegram.environment.request('/telegram?as=99999');
  expect([unknown.status, textOf(unknown.body).includes('no user with the id 99999')]).toEqual([404, true]);
  expect([expired.status, textOf(expired.body).includes('this link has expired')]).toEqual([404, true]);
});

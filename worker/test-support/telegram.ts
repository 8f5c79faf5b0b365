import type { ConnectTelegramAnswer } from '#schema/contracts/notifications.ts';
import { readAnswer } from './answers.ts';
import { control, testEnv, type Person, type TestApp } from './test-app.ts';

export interface ChatMessage {
  readonly from: 'bot' | 'user';
  readonly text: string;
  readonly parseMode: string | null;
}

let nextHandle = 0;

/** A username that nobody on the local Telegram has yet. */
export function newHandle(): string {
  nextHandle += 1;
  return `tele_person_${nextHandle}`;
}

/** Opens somebody's chat with the bot on the local Telegram; pressing Start there unblocks the bot. */
export async function openChat(handle = newHandle()): Promise<number> {
  // Updates do not travel by themselves here: a test posts each to the webhook when its moment has come.
  await fetch(`${testEnv.TELEGRAM_API_URL}/bot${testEnv.TELEGRAM_BOT_TOKEN}/deleteWebhook?drop_pending_updates=true`);
  const { chatId } = await control<{ chatId: number }>('POST', '/telegram/start', { handle });
  return chatId;
}

/** What the bot and the person have written in a chat, oldest first. */
export function messagesIn(chatId: number): Promise<ChatMessage[]> {
  return control('GET', `/messages?chatId=${chatId}`);
}

/** What the bot has written in a chat. */
export async function writtenTo(chatId: number): Promise<string[]> {
  return (await messagesIn(chatId)).filter(({ from }) => from === 'bot').map(({ text }) => text);
}

/** A message of a person as Telegram posts it. */
export function textUpdate({ chatId, text, type = 'private' }: { chatId: number; text: string; type?: 'private' | 'group' }) {
  const command = /^\/[\w@]+/.exec(text)?.[0];
  return {
    update_id: 840_000_001,
    message: {
      message_id: 1,
      date: 1_780_000_000,
      from: { id: chatId, is_bot: false, first_name: 'Tele', username: 'tele' },
      chat: { id: chatId, type, first_name: 'Tele', username: 'tele' },
      text,
      ...(command === undefined ? {} : { entities: [{ type: 'bot_command', offset: 0, length: command.length }] }),
    },
  };
}

/** Posts an update as Telegram does, with the secret unless another is given (`null` leaves it out). */
export function postUpdate(app: TestApp, update: unknown, secret: string | null = testEnv.TELEGRAM_WEBHOOK_SECRET): Promise<Response> {
  return app.request('/api/telegram/webhook', { method: 'POST', body: update, headers: secret === null ? {} : { 'X-Telegram-Bot-Api-Secret-Token': secret } });
}

/** Presses Start in a chat. Gives what the bot answers there. */
export async function pressStart({ app, chatId, payload }: { app: TestApp; chatId: number; payload: string }): Promise<string> {
  const text = payload === '' ? '/start' : `/start ${payload}`;
  const reply = await readAnswer<{ method: string; chat_id: number; text: string; parse_mode?: string }>(postUpdate(app, textUpdate({ chatId, text })));
  if (reply.method !== 'sendMessage' || reply.chat_id !== chatId || reply.parse_mode !== undefined) throw new Error(`An odd reply: ${JSON.stringify(reply)}`);
  return reply.text;
}

/** Saves a handle on the dashboard. Gives the payload of the link to Start. */
export async function askForLink(person: Person, telegramHandle = newHandle()): Promise<string> {
  const { startUrl } = await readAnswer<ConnectTelegramAnswer>(person.post('/api/user/telegram-connect', { telegramHandle }));
  return new URL(startUrl).searchParams.get('start') ?? '';
}

/** Connects somebody's own new chat: handle, link, Start. Gives the chat. */
export async function connectTelegram(app: TestApp, person: Person): Promise<number> {
  const handle = newHandle();
  const chatId = await openChat(handle);
  await pressStart({ app, chatId, payload: await askForLink(person, handle) });
  return chatId;
}

import type { ConnectTelegramAnswer } from '#schema/contracts/notifications.ts';
import { readAnswer } from './answers.ts';
import { control, testEnv, type Person, type TestApp } from './test-app.ts';

export interface ChatMessage {
  readonly from: 'bot' | 'user';
  readonly text: string;
  readonly parseMode: string | null;
}

/** Later than any moment of a test, in seconds. */
const LATER = 4_000_000_000;

let nextHandle = 0;
/** For which username each link was given. */
const handleOfLink = new Map<string, string>();

/** A username that nobody on the local Telegram has yet. */
export function newHandle(): string {
  nextHandle += 1;
  return `tele_person_${nextHandle}`;
}

/** Opens somebody's chat with the bot on the local Telegram; pressing Start there unblocks the bot. */
export async function openChat(handle = newHandle()): Promise<number> {
  // Updates do not travel by themselves here: a test posts each to the webhook when its moment has come.
  await fetch(
    `${testEnv.TELEGRAM_API_URL}/bot${testEnv.TELEGRAM_BOT_TOKEN}/deleteWebhook?drop_pending_updates=true`,
  );
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

interface TextOptions {
  readonly chatId: number;
  readonly text: string;
  readonly type?: 'private' | 'group';
  /** `null` for somebody without one. */
  readonly username?: string | null;
  /** Unix ms; later than everything unless told. */
  readonly at?: number;
}

const inSeconds = (at: number | undefined) => (at === undefined ? LATER : Math.floor(at / 1_000));
const names = (username: string | null) => ({
  first_name: 'Tele',
  ...(username === null ? {} : { username }),
});

/** A message of a person as Telegram posts it. */
export function textUpdate({ chatId, text, type = 'private', username = 'tele', at }: TextOptions) {
  const command = /^\/[\w@]+/.exec(text)?.[0];
  return {
    update_id: 840_000_001,
    message: {
      message_id: 1,
      date: inSeconds(at),
      from: { id: chatId, is_bot: false, ...names(username) },
      chat: { id: chatId, type, ...names(username) },
      text,
      ...(command === undefined
        ? {}
        : { entities: [{ type: 'bot_command', offset: 0, length: command.length }] }),
    },
  };
}

/** That somebody has blocked the bot, or lets it write again, as Telegram posts it. */
export function memberUpdate({
  chatId,
  status,
  type = 'private',
  at,
}: {
  chatId: number;
  status: string;
  type?: 'private' | 'group';
  at?: number;
}) {
  const bot = { id: 1, is_bot: true, first_name: 'Bot' };
  return {
    update_id: 840_000_002,
    my_chat_member: {
      chat: { id: chatId, type, ...names('tele') },
      from: { id: chatId, is_bot: false, ...names('tele') },
      date: inSeconds(at),
      old_chat_member: { user: bot, status: 'member' },
      new_chat_member: { user: bot, status },
    },
  };
}

/** Posts an update as Telegram does, with the secret unless another is given (`null` leaves it out). */
export function postUpdate(
  app: TestApp,
  update: unknown,
  secret: string | null = testEnv.TELEGRAM_WEBHOOK_SECRET,
): Promise<Response> {
  return app.request('/api/telegram/webhook', {
    method: 'POST',
    body: update,
    headers: secret === null ? {} : { 'X-Telegram-Bot-Api-Secret-Token': secret },
  });
}

/** Presses Start in a chat, with the username that the link was given for unless told. Gives what the bot answers there. */
export function pressStart({
  app,
  chatId,
  payload,
  username = handleOfLink.get(payload) ?? 'tele',
}: {
  app: TestApp;
  chatId: number;
  payload: string;
  username?: string | null;
}): Promise<string> {
  return writeToBot({ app, chatId, text: payload === '' ? '/start' : `/start ${payload}`, username });
}

/** Writes something in a chat. Gives what the bot answers there. */
export async function writeToBot({
  app,
  chatId,
  ...options
}: { app: TestApp } & TextOptions): Promise<string> {
  const reply = await readAnswer<{ method: string; chat_id: number; text: string; parse_mode?: string }>(
    postUpdate(app, textUpdate({ chatId, ...options })),
  );
  if (reply.method !== 'sendMessage' || reply.chat_id !== chatId || reply.parse_mode !== undefined) {
    throw new Error(`An odd reply: ${JSON.stringify(reply)}`);
  }
  return reply.text;
}

/** Saves a handle on the dashboard. Gives the payload of the link to Start. */
export async function askForLink(person: Person, telegramHandle = newHandle()): Promise<string> {
  const { startUrl } = await readAnswer<ConnectTelegramAnswer>(
    person.post('/api/user/telegram-connect', { telegramHandle }),
  );
  const payload = new URL(startUrl).searchParams.get('start') ?? '';
  handleOfLink.set(payload, telegramHandle);
  return payload;
}

/** Connects somebody's own new chat: handle, link, Start. Gives the chat. */
export async function connectTelegram(app: TestApp, person: Person): Promise<number> {
  const handle = newHandle();
  const chatId = await openChat(handle);
  await pressStart({ app, chatId, payload: await askForLink(person, handle) });
  return chatId;
}

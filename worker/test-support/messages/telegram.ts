import type { ConnectTelegramResponse } from '#schema/contracts/notifications.ts';
import { readResponse } from '../responses.ts';
import { control, testEnv, type Person, type TestApp } from '../test-app.ts';

export interface ChatMessage {
  readonly messageId: number;
  readonly from: 'bot' | 'user';
  readonly text: string;
  readonly parseMode: string | null;
  readonly buttons: readonly { readonly text: string; readonly url: string }[];
  readonly isProtected: boolean;
  /** The message that this one replies to. */
  readonly replyTo: number | null;
  /** Null in General, and in chats without topics. */
  readonly topicId: number | null;
  /** The users whom Telegram notified of the message. */
  readonly notified: readonly number[];
  /** Set for a message such as 'the title has changed'. */
  readonly service: object | null;
}

/** A timestamp after the end of every test, in unix seconds. */
const LATER = 4_000_000_000;

let nextHandle = 0;
/** The username for which each link was requested. */
const handleOfLink = new Map<string, string>();

/** An unused Telegram username. */
export function newHandle(): string {
  nextHandle += 1;
  return `tele_person_${nextHandle}`;
}

/** Calls a method of the local Bot API. */
export async function bot<Result = unknown>(method: string, body: object = {}): Promise<Result> {
  const url = `${testEnv.TELEGRAM_API_URL}/bot${testEnv.TELEGRAM_BOT_TOKEN}/${method}`;
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const { ok, ...read } = await response.json<{ ok: boolean; result: Result; description: string }>();
  if (!ok) throw new Error(`${method}: ${read.description}`);
  return read.result;
}

/** Turns automatic updates off, because the tests post each update to the webhook. */
export const stopUpdates = () => bot('deleteWebhook', { drop_pending_updates: true });

/** Opens a user's chat with the bot on the local Telegram. Pressing Start in it also unblocks the bot. */
export async function openChat(handle = newHandle()): Promise<number> {
  await stopUpdates();
  const { chatId } = await control<{ chatId: number }>('POST', '/telegram/start', { handle });
  return chatId;
}

/** All messages in a chat, by the user and the bot, oldest first. */
export function messagesIn(chatId: number): Promise<ChatMessage[]> {
  return control('GET', `/messages?chatId=${chatId}`);
}

/** The bot's messages in a chat. */
export async function writtenTo(chatId: number): Promise<string[]> {
  return (await messagesIn(chatId)).filter(({ from }) => from === 'bot').map(({ text }) => text);
}

interface TextOptions {
  readonly chatId: number;
  readonly text: string;
  readonly type?: 'private' | 'group' | 'supergroup';
  /** The sender; by default the person of a private chat. */
  readonly fromId?: number;
  /** The username; null for a user without one. */
  readonly username?: string | null;
  /** Unix ms; by default later than all other events. */
  readonly at?: number;
}

const inSeconds = (at: number | undefined) => (at === undefined ? LATER : Math.floor(at / 1_000));
const BOT_USER = { id: 1, is_bot: true, first_name: 'Bot' };
const names = (username: string | null) => ({
  first_name: 'Tele',
  ...(username === null ? {} : { username }),
});

/** The update that Telegram posts for a user's message. */
export function textUpdate({
  chatId,
  text,
  type = 'private',
  username = 'tele',
  at,
  fromId = chatId,
}: TextOptions) {
  const command = /^\/[\w@]+/.exec(text)?.[0];
  return {
    update_id: 840_000_001,
    message: {
      message_id: 1,
      date: inSeconds(at),
      from: { id: fromId, is_bot: false, ...names(username) },
      chat: { id: chatId, type, ...names(username) },
      text,
      ...(command === undefined
        ? {}
        : { entities: [{ type: 'bot_command', offset: 0, length: command.length }] }),
    },
  };
}

interface BotMember {
  readonly chatId: number;
  readonly status: string;
  readonly type?: string;
  readonly title?: string;
  readonly fromId?: number;
  readonly rights?: readonly string[];
  /** Unix ms; by default later than all other events. */
  readonly at?: number;
}

/** The update that Telegram posts after a person has changed the bot in a chat, such as blocked or unblocked it. */
export function memberUpdate({
  chatId,
  status,
  type = 'private',
  title,
  fromId = chatId,
  rights = [],
  at,
}: BotMember) {
  const granted = Object.fromEntries(rights.map((right) => [right, true]));
  return {
    update_id: 840_000_002,
    my_chat_member: {
      chat: { id: chatId, type, ...(title === undefined ? names('tele') : { title }) },
      from: { id: fromId, is_bot: false, ...names('tele') },
      date: inSeconds(at),
      old_chat_member: { user: BOT_USER, status: 'member' },
      new_chat_member: { user: BOT_USER, status, ...granted },
    },
  };
}

/** The update that Telegram posts for a pressed button. */
export const pressUpdate = ({ chatId, action }: { chatId: number; action: string }) => ({
  update_id: 840_000_003,
  callback_query: {
    id: '77',
    from: { id: chatId, is_bot: false, first_name: 'Tele' },
    message: { message_id: 5, date: 1, from: BOT_USER, chat: { id: chatId, type: 'private' }, text: 'Card' },
    data: action,
  },
});

/** Posts an update to the webhook as Telegram does. `secret: null` leaves the secret out. */
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

interface TelegramButton {
  readonly text: string;
  readonly url?: string;
  readonly callback_data?: string;
}

/** A message by which the bot replies to an update. */
interface ReplyBody {
  readonly method: string;
  readonly chat_id: number;
  readonly text: string;
  readonly parse_mode?: string;
  readonly message_id?: number;
  readonly reply_markup?: { readonly inline_keyboard?: readonly (readonly TelegramButton[])[] };
}

/** Replies that no test has taken yet. Presses of the same button may run side by side. */
const replies: ReplyBody[] = [];
let requestsRunning = 0;
let { fetch: sendRequest } = globalThis;

/** Keeps replies from Telegram. They name their chat by a number; other messages by a string. */
const keepReply: typeof fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  const method = url.split('/').at(-1) ?? '';
  if (method !== 'sendMessage' && method !== 'editMessageText') return sendRequest(input, init);
  const body = JSON.parse(String(init?.body)) as Omit<ReplyBody, 'method'>;
  if (typeof body.chat_id !== 'number') return sendRequest(input, init);
  replies.push({ method, ...body });
  return Response.json({ ok: true, result: { message_id: 1, date: 0, chat: { id: 1, type: 'private' } } });
};

/** Posts an update, and takes the bot's reply before Telegram gets it. Null without a reply. */
export async function takeReply(app: TestApp, update: unknown): Promise<ReplyBody | null> {
  if (requestsRunning === 0) ({ fetch: sendRequest } = globalThis);
  requestsRunning += 1;
  globalThis.fetch = keepReply;
  try {
    const response = await postUpdate(app, update);
    if (!response.ok) throw new Error(`The webhook responded ${response.status}`);
  } finally {
    requestsRunning -= 1;
    if (requestsRunning === 0) globalThis.fetch = sendRequest;
  }
  const index = replies.findIndex(({ chat_id }) => JSON.stringify(update).includes(`{"id":${chat_id},`));
  return index === -1 ? null : (replies.splice(index, 1)[0] ?? null);
}

/** Presses Start in a chat, by default with the link's username. Returns the bot's response. */
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

/** Sends a message in a chat. Returns the bot's response. */
export async function writeToBot({
  app,
  chatId,
  ...options
}: { app: TestApp } & TextOptions): Promise<string> {
  const reply = await takeReply(app, textUpdate({ chatId, ...options }));
  if (reply?.method !== 'sendMessage' || reply.chat_id !== chatId || reply.parse_mode !== undefined) {
    throw new Error(`Unexpected reply: ${JSON.stringify(reply)}`);
  }
  return reply.text;
}

/** Saves a handle on the dashboard. Returns the payload of the Start link. */
export async function requestLink(person: Person, telegramHandle = newHandle()): Promise<string> {
  const { startUrl } = await readResponse<ConnectTelegramResponse>(
    person.post('/api/user/telegram-connect', { telegramHandle }),
  );
  const payload = new URL(startUrl).searchParams.get('start') ?? '';
  handleOfLink.set(payload, telegramHandle);
  return payload;
}

/** Connects a new chat of a user: saves the handle, opens the link and presses Start. Returns the chat. */
export async function connectTelegram(app: TestApp, person: Person): Promise<number> {
  const handle = newHandle();
  const chatId = await openChat(handle);
  await pressStart({ app, chatId, payload: await requestLink(person, handle) });
  return chatId;
}

/** The bot's reply to an update. */
interface BotReply {
  readonly text: string;
  /** All rows together. */
  readonly buttons: readonly TelegramButton[];
  /** The message that the reply replaces; null for a new one. */
  readonly replaces: number | null;
}

/** Posts an update and takes the bot's reply. Null without one. */
export async function postToBot(app: TestApp, update: unknown): Promise<BotReply | null> {
  const body = await takeReply(app, update);
  return (
    body && {
      text: body.text,
      buttons: body.reply_markup?.inline_keyboard?.flat() ?? [],
      replaces: body.message_id ?? null,
    }
  );
}

/** A private chat with the bot. Messages are sent now, unless `at` says otherwise. */
export function openBotChat(app: TestApp, chatId: number) {
  return {
    send: async (text: string, at = app.clock.now()): Promise<BotReply> =>
      (await postToBot(app, textUpdate({ chatId, text, at }))) ?? { text: '', buttons: [], replaces: null },
    /** Presses the button with this label on the bot's last reply. */
    press: (card: BotReply, label: string): Promise<BotReply | null> => {
      const action = card.buttons.find(({ text }) => text.includes(label))?.callback_data;
      if (action === undefined) throw new Error(`No button ${label}: ${JSON.stringify(card)}`);
      return postToBot(app, pressUpdate({ chatId, action }));
    },
  };
}

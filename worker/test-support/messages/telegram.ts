import type { ConnectTelegramResponse } from '#schema/contracts/notifications.ts';
import { readResponse } from '../responses.ts';
import { control, testEnv, type Person, type TestApp } from '../test-app.ts';

export interface ChatMessage {
  readonly from: 'bot' | 'user';
  readonly text: string;
  readonly parseMode: string | null;
  readonly buttons: readonly { readonly text: string; readonly url: string }[];
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

/** Opens a user's chat with the bot on the local Telegram. Pressing Start in it also unblocks the bot. */
export async function openChat(handle = newHandle()): Promise<number> {
  // Turns automatic updates off, because the tests post each update to the webhook.
  await fetch(
    `${testEnv.TELEGRAM_API_URL}/bot${testEnv.TELEGRAM_BOT_TOKEN}/deleteWebhook?drop_pending_updates=true`,
  );
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

/** The update that Telegram posts after a user blocked or unblocked the bot. */
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

/** A message by which the bot replies to an update. */
export interface ReplyBody {
  readonly method: string;
  readonly chat_id: number;
  readonly text: string;
  readonly parse_mode?: string;
  readonly message_id?: number;
  readonly reply_markup?: {
    readonly inline_keyboard?: readonly (readonly {
      readonly text: string;
      readonly url?: string;
      readonly callback_data?: string;
    }[])[];
  };
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

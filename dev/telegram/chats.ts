import { z } from 'zod';
import type { BotCommand, Chat, ChatMessage, Webhook } from './chat-state.ts';
import { openChatStore, type ChatStore } from './chat-store.ts';
import { describeChat, describeMessage, describeUser } from './describe-chat.ts';
import { isLoopbackUrl } from '../controls/same-origin.ts';
import { readJsonParameter } from './json-parameter.ts';
import { createWebhookDelivery } from './webhook-delivery.ts';

const MAX_MESSAGE_LENGTH = 4096;

export interface Bot {
  id: number;
  is_bot: true;
  first_name: string;
  username: string;
}

export interface BotProblem {
  status: 400 | 403 | 429;
  description: string;
  /** Set if the status is 429. */
  retryAfterSeconds?: number;
}

export interface PressResult {
  chatId: number;
  /** True if the product accepted the update. If it didn't, the stand-in retries. */
  isDelivered: boolean;
  error: string | null;
}

interface ChatsOptions {
  file: string;
  now: () => number;
  bot: Bot;
  defaultWebhook: Webhook;
}

const sendParameters = z.object({
  chat_id: z.coerce.number().catch(Number.NaN),
  text: z.string().default(''),
  parse_mode: z.string().optional(),
  reply_markup: z.preprocess(
    readJsonParameter,
    z
      .object({
        inline_keyboard: z
          .array(z.array(z.object({ text: z.string(), url: z.string().optional() })))
          .default([]),
      })
      .optional(),
  ),
});

export type Chats = ReturnType<typeof openChats>;

export function openChats({ file, now, bot, defaultWebhook }: ChatsOptions) {
  const store = openChatStore({ file, now });
  const { state } = store;
  const webhook = (): Webhook | null => (state.webhook === 'default' ? defaultWebhook : state.webhook);
  const send = (parameters: Record<string, unknown>) => sendMessage({ store, bot, parameters });
  const delivery = createWebhookDelivery({
    now,
    webhook,
    pending: state.pending,
    save: store.saveSoon,
    onReply: (reply) => void (reply['method'] === 'sendMessage' && send(reply)),
  });

  async function postUpdate(chat: Chat, update: Record<string, unknown>): Promise<PressResult> {
    const numbered = store.addUpdate(update);
    await delivery.deliverPending();
    const isDelivered = !state.pending.includes(numbered);
    return {
      chatId: chat.id,
      isDelivered,
      error: isDelivered ? null : (delivery.lastError()?.message ?? 'No webhook is set'),
    };
  }

  function write({ handle, text }: { handle: string; text: string }): Promise<PressResult> {
    const chat = store.open(handle);
    const message = store.addMessage(userMessage(chat.id, text));
    return postUpdate(chat, { message: describeMessage({ message, chat, from: describeUser(chat) }) });
  }

  async function setBlocked(options: { handle: string; isBlocked: boolean }): Promise<PressResult> {
    const chat = store.open(options.handle);
    if (chat.isBlocked === options.isBlocked) return { chatId: chat.id, isDelivered: true, error: null };
    chat.isBlocked = options.isBlocked;
    return postUpdate(chat, { my_chat_member: describeBlock({ chat, bot, date: Math.floor(now() / 1000) }) });
  }

  return {
    bot,
    findByHandle: store.findByHandle,
    /** Messages of one chat or of all, oldest first. */
    messages: (chatId?: number) => (chatId === undefined ? state.messages : store.messagesOf(chatId)),
    commands: () => state.commands,
    setCommands(commands: readonly BotCommand[]) {
      state.commands = [...commands];
      store.saveSoon();
    },
    async pressStart({ handle, payload }: { handle: string; payload: string }) {
      await setBlocked({ handle, isBlocked: false });
      return write({ handle, text: payload === '' ? '/start' : `/start ${payload}` });
    },
    write,
    setBlocked,
    send,
    webhook,
    setWebhook(target: Webhook | null, { dropPending }: { dropPending: boolean }) {
      state.webhook = target;
      if (dropPending) state.pending.length = 0;
      store.saveSoon();
      void delivery.deliverPending();
    },
    pendingCount: () => state.pending.length,
    lastError: delivery.lastError,
    close() {
      delivery.close();
      store.flush();
    },
  };
}

function userMessage(chatId: number, text: string): Omit<ChatMessage, 'messageId' | 'date'> {
  const command = /^\/\w+/.exec(text)?.[0];
  const entities = command === undefined ? [] : [{ type: 'bot_command', offset: 0, length: command.length }];
  return { chatId, from: 'user', text, parseMode: null, entities, buttons: [] };
}

/** The `my_chat_member` update after a user blocked or unblocked the bot. */
function describeBlock({ chat, bot, date }: { chat: Chat; bot: Bot; date: number }): object {
  const member = { user: bot, status: 'member' };
  const kicked = { user: bot, status: 'kicked', until_date: 0 };
  const change = chat.isBlocked
    ? { old_chat_member: member, new_chat_member: kicked }
    : { old_chat_member: kicked, new_chat_member: member };
  return { chat: describeChat(chat), from: describeUser(chat), date, ...change };
}

interface SendMessageOptions {
  store: ChatStore;
  bot: Bot;
  parameters: Record<string, unknown>;
}

function sendMessage({ store, bot, parameters }: SendMessageOptions): object | BotProblem {
  const parsed = sendParameters.safeParse(parameters);
  if (!parsed.success) return { status: 400, description: `Bad Request: ${z.prettifyError(parsed.error)}` };
  const { chat_id: chatId, text, parse_mode: parseMode = '', reply_markup: markup } = parsed.data;
  const chat = store.find(chatId);
  if (chat === undefined) return { status: 400, description: 'Bad Request: chat not found' };
  // Refuse formatting, because storing it unparsed would hide missing escapes.
  if (parseMode !== '') {
    return { status: 400, description: 'Bad Request: the local stand-in reads plain text only' };
  }
  if (text.trim() === '') return { status: 400, description: 'Bad Request: message text is empty' };
  if (text.length > MAX_MESSAGE_LENGTH) {
    return { status: 400, description: 'Bad Request: message is too long' };
  }
  if (chat.isBlocked) return { status: 403, description: 'Forbidden: bot was blocked by the user' };
  const wrong = (markup?.inline_keyboard ?? [])
    .flat()
    .find(({ url }) => url !== undefined && !isButtonUrl(url));
  if (wrong !== undefined) {
    return {
      status: 400,
      description: `Bad Request: inline keyboard button URL '${wrong.url}' is invalid: Wrong HTTP URL`,
    };
  }
  const buttons = (markup?.inline_keyboard ?? [])
    .flat()
    .flatMap((button) => (button.url === undefined ? [] : [{ text: button.text, url: button.url }]));
  const message = store.addMessage({
    chatId,
    from: 'bot',
    text,
    parseMode: null,
    entities: [],
    buttons,
  });
  return describeMessage({ message, chat, from: bot });
}

/**
 * Telegram accepts web addresses whose host has a dot. The stand-in also accepts `localhost`, where the
 * local product runs.
 */
function isButtonUrl(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
  return url.hostname.includes('.') || isLoopbackUrl(url);
}

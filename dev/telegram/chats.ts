import { z } from 'zod';
import {
  openTelegramState,
  type BotCommand,
  type Chat,
  type ChatMessage,
  type Webhook,
} from './chat-state.ts';
import { describeChat, describeMessage, describeUser } from './describe-chat.ts';
import { readJsonParameter } from './json-parameter.ts';
import { parseTelegramHtml, type MessageEntity } from './telegram-html.ts';
import { createWebhookDelivery, type DeliveryError } from './webhook-delivery.ts';

const MAX_MESSAGE_LENGTH = 4096;
/** Larger than 32 bits, as the ids of recent Telegram accounts are. */
const FIRST_CHAT_ID = 5_600_000_001;

/** The local bot, in the Bot API's form. */
export interface Bot {
  id: number;
  is_bot: true;
  first_name: string;
  username: string;
}

/** A Bot API error. */
export interface BotProblem {
  status: 400 | 403 | 429;
  description: string;
  /** Only for 429. */
  retryAfterSeconds?: number;
}

export interface PressResult {
  chatId: number;
  /** Whether the product accepted the update; if not, it's retried. */
  isDelivered: boolean;
  error: string | null;
}

/** The local Telegram's conversations. */
export interface Chats {
  readonly bot: Bot;
  chats(): readonly Chat[];
  findByHandle(handle: string): Chat | undefined;
  /** Messages of one chat or of all, oldest first. */
  messages(chatId?: number): readonly ChatMessage[];
  /** The number of bot messages per chat. */
  messageCounts(): Record<string, number>;
  /** Creates many chats without messages. Existing ones stay. */
  openMany(wish: { count: number; prefix: string; isBlocked: boolean }): readonly Chat[];
  commands(): readonly BotCommand[];
  setCommands(commands: readonly BotCommand[]): void;
  pressStart(press: { handle: string; payload: string }): Promise<PressResult>;
  write(words: { handle: string; text: string }): Promise<PressResult>;
  setBlocked(wish: { handle: string; isBlocked: boolean }): Promise<PressResult>;
  /** `sendMessage` with the Bot API's parameters. */
  send(parameters: Record<string, unknown>): object | BotProblem;
  webhook(): Webhook | null;
  setWebhook(webhook: Webhook | null, options: { dropPending: boolean }): void;
  deliverPending(): Promise<{ pending: number; error: string | null }>;
  pendingCount(): number;
  lastError(): DeliveryError | undefined;
  close(): void;
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

export function openChats({ file, now, bot, defaultWebhook }: ChatsOptions): Chats {
  const stored = openTelegramState(file);
  const state = stored.value;
  const chatsById = new Map(state.chats.map((chat) => [chat.id, chat]));
  const chatsByHandle = new Map(state.chats.map((chat) => [chat.handle.toLowerCase(), chat]));
  const messagesByChat = new Map<number, ChatMessage[]>(state.chats.map(({ id }) => [id, []]));
  for (const message of state.messages) messagesByChat.get(message.chatId)?.push(message);
  const webhook = (): Webhook | null => (state.webhook === 'default' ? defaultWebhook : state.webhook);
  const delivery = createWebhookDelivery({
    now,
    webhook,
    pending: state.pending,
    save: stored.saveSoon,
    onReply: (reply) => void (reply['method'] === 'sendMessage' && send(reply)),
  });
  const seconds = (): number => Math.floor(now() / 1000);
  const findByHandle = (handle: string): Chat | undefined =>
    chatsByHandle.get(plainHandle(handle).toLowerCase());

  function openChat(typedHandle: string): Chat {
    const known = findByHandle(typedHandle);
    if (known !== undefined) return known;
    const handle = plainHandle(typedHandle);
    const chat: Chat = {
      id: FIRST_CHAT_ID + state.chats.length,
      handle,
      firstName: handle.split('_')[0] ?? handle,
      isBlocked: false,
    };
    state.chats.push(chat);
    chatsById.set(chat.id, chat);
    chatsByHandle.set(handle.toLowerCase(), chat);
    messagesByChat.set(chat.id, []);
    return chat;
  }

  function addMessage(message: Omit<ChatMessage, 'messageId' | 'date'>): ChatMessage {
    const added = { ...message, messageId: state.nextMessageId, date: seconds() };
    state.nextMessageId += 1;
    state.messages.push(added);
    messagesByChat.get(added.chatId)?.push(added);
    stored.saveSoon();
    return added;
  }

  async function report({
    chat,
    update,
  }: {
    chat: Chat;
    update: Record<string, unknown>;
  }): Promise<PressResult> {
    const numbered = { update_id: state.nextUpdateId, ...update };
    state.nextUpdateId += 1;
    state.pending.push(numbered);
    stored.saveSoon();
    await delivery.deliverPending();
    const isDelivered = !state.pending.includes(numbered);
    return {
      chatId: chat.id,
      isDelivered,
      error: isDelivered ? null : (delivery.lastError()?.message ?? 'No webhook is set'),
    };
  }

  function write({ handle, text }: { handle: string; text: string }): Promise<PressResult> {
    const chat = openChat(handle);
    const command = /^\/\w+/.exec(text)?.[0];
    const entities: MessageEntity[] =
      command === undefined ? [] : [{ type: 'bot_command', offset: 0, length: command.length }];
    const message = addMessage({
      chatId: chat.id,
      from: 'user',
      text,
      source: text,
      parseMode: null,
      entities,
      buttons: [],
    });
    return report({
      chat,
      update: { message: describeMessage({ message, chat, from: describeUser(chat) }) },
    });
  }

  async function setBlocked({
    handle,
    isBlocked,
  }: {
    handle: string;
    isBlocked: boolean;
  }): Promise<PressResult> {
    const chat = openChat(handle);
    if (chat.isBlocked === isBlocked) return { chatId: chat.id, isDelivered: true, error: null };
    chat.isBlocked = isBlocked;
    const member = { user: bot, status: 'member' };
    const kicked = { user: bot, status: 'kicked', until_date: 0 };
    const change = isBlocked
      ? { old_chat_member: member, new_chat_member: kicked }
      : { old_chat_member: kicked, new_chat_member: member };
    return report({
      chat,
      update: {
        my_chat_member: { chat: describeChat(chat), from: describeUser(chat), date: seconds(), ...change },
      },
    });
  }

  function send(parameters: Record<string, unknown>): object | BotProblem {
    const parsed = sendParameters.safeParse(parameters);
    if (!parsed.success) return { status: 400, description: `Bad Request: ${z.prettifyError(parsed.error)}` };
    const { chat_id: chatId, text: source, parse_mode: parseMode = null, reply_markup: markup } = parsed.data;
    const chat = chatsById.get(chatId);
    if (chat === undefined) return { status: 400, description: 'Bad Request: chat not found' };
    const content = readContent({ source, parseMode });
    if ('problem' in content) return { status: 400, description: content.problem };
    if (content.text.trim() === '') return { status: 400, description: 'Bad Request: message text is empty' };
    if (content.text.length > MAX_MESSAGE_LENGTH) {
      return { status: 400, description: 'Bad Request: message is too long' };
    }
    if (chat.isBlocked) return { status: 403, description: 'Forbidden: bot was blocked by the user' };
    const buttons = (markup?.inline_keyboard ?? [])
      .flat()
      .flatMap(({ text, url }) => (url === undefined ? [] : [{ text, url }]));
    const message = addMessage({ chatId, from: 'bot', ...content, source, parseMode, buttons });
    return describeMessage({ message, chat, from: bot });
  }

  return {
    bot,
    chats: () => state.chats,
    findByHandle,
    messages: (chatId) => (chatId === undefined ? state.messages : (messagesByChat.get(chatId) ?? [])),
    messageCounts: () => countBotMessages(messagesByChat),
    openMany({ count, prefix, isBlocked }) {
      const opened = Array.from({ length: count }, (_, index) => openChat(`${prefix}_${index + 1}`));
      for (const chat of opened) chat.isBlocked = isBlocked;
      stored.saveSoon();
      return opened;
    },
    commands: () => state.commands,
    setCommands(commands) {
      state.commands = [...commands];
      stored.saveSoon();
    },
    async pressStart({ handle, payload }) {
      // Pressing Start unblocks the bot.
      await setBlocked({ handle, isBlocked: false });
      return write({ handle, text: payload === '' ? '/start' : `/start ${payload}` });
    },
    write,
    setBlocked,
    send,
    webhook,
    setWebhook(target, { dropPending }) {
      state.webhook = target;
      if (dropPending) state.pending.length = 0;
      stored.saveSoon();
      void delivery.deliverPending();
    },
    async deliverPending() {
      await delivery.deliverPending();
      const pending = state.pending.length;
      return { pending, error: pending === 0 ? null : (delivery.lastError()?.message ?? null) };
    },
    pendingCount: () => state.pending.length,
    lastError: delivery.lastError,
    close() {
      delivery.close();
      stored.flush();
    },
  };
}

function readContent({
  source,
  parseMode,
}: {
  source: string;
  parseMode: string | null;
}): { text: string; entities: MessageEntity[] } | { problem: string } {
  if (parseMode === null || parseMode === '') return { text: source, entities: [] };
  if (parseMode.toLowerCase() === 'html') return parseTelegramHtml(source);
  // Refused rather than stored unparsed: a missing escape would go unnoticed until production.
  return { problem: 'Bad Request: the local stand-in reads plain text and HTML, not Markdown' };
}

function countBotMessages(
  messagesByChat: ReadonlyMap<number, readonly ChatMessage[]>,
): Record<string, number> {
  const counts = [...messagesByChat].map(
    ([chatId, messages]) => [chatId, messages.filter(({ from }) => from === 'bot').length] as const,
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function plainHandle(handle: string): string {
  return handle.trim().replace(/^@/, '');
}

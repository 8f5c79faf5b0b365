import { query } from '../database/database.ts';
import { insertRows } from '../database/insert-rows.ts';
import { control, testEnv, type Person, type TestApp } from '../test-app.ts';
import { bot, memberUpdate, messagesIn, postUpdate, stopUpdates, type ChatMessage } from './telegram.ts';

export const ALLOWED_UPDATES = [
  'message',
  'callback_query',
  'my_chat_member',
  'chat_member',
  'chat_join_request',
];
export const BOT = testEnv.TELEGRAM_BOT_USERNAME;
/** The rights that the bot asks for, as in the links that add it. */
export const RIGHTS: readonly string[] = ['post_messages', 'invite_users', 'restrict_members'];

export interface Update {
  readonly update_id: number;
}

/** Takes the updates that the local Telegram has for the webhook, oldest first. */
export async function takeUpdates(): Promise<Update[]> {
  const updates = await bot<Update[]>('getUpdates', { allowed_updates: ALLOWED_UPDATES });
  const last = updates.at(-1);
  if (last !== undefined) await bot('getUpdates', { offset: last.update_id + 1 });
  return updates;
}

/** Posts the waiting updates to the webhook, and the updates that this causes. */
export async function deliverUpdates(app: TestApp): Promise<void> {
  for (let updates = await takeUpdates(); updates.length > 0; updates = await takeUpdates()) {
    for (const update of updates) await postAccepted(app, update);
  }
}

async function postAccepted(app: TestApp, update: object): Promise<void> {
  const response = await postUpdate(app, update);
  if (!response.ok) throw new Error(`The webhook responded ${response.status}: ${JSON.stringify(update)}`);
}

/** Does something as a user of the local Telegram. `as` is a username or an id. */
export const act = <Result = object>(action: string, as: string | number, details: object) =>
  control<Result>('POST', '/telegram/act', { action, as: String(as), ...details });

interface NewChat {
  /** Username or id. */
  readonly owner: string | number;
  readonly type?: 'channel' | 'supergroup' | 'group';
  readonly username?: string;
  /** Ids of people who are in the chat from the beginning. */
  readonly members?: readonly string[];
}

/** Creates a chat on the local Telegram, without the bot. Returns its id. */
export async function createChat({ owner, type = 'supergroup', ...chat }: NewChat): Promise<number> {
  const body = { as: String(owner), type, title: 'Alpha', ...chat };
  return (await control<{ id: number }>('POST', '/telegram/chats', body)).id;
}

interface BotChange {
  readonly chatId: number;
  readonly byId: number;
  /** Null: the bot is no administrator. */
  readonly rights: readonly string[] | null;
  readonly status?: string;
}

/** Posts the update about the bot's rights in a chat. */
export async function postBotUpdate(app: TestApp, change: BotChange): Promise<void> {
  const { chatId, byId: fromId, rights, status = rights === null ? 'left' : 'administrator' } = change;
  const chat = await control<{ type: string; title: string }>('GET', `/telegram/chats/${chatId}`);
  const { type, title } = chat;
  const granted = (rights ?? []).map((right) => `can_${right}`);
  await postAccepted(app, memberUpdate({ chatId, status, type, title, fromId, rights: granted }));
}

/** A chat with the bot as an administrator. */
export interface TestChat {
  readonly chatId: number;
  /** Does something in the chat as its owner. */
  act(action: string, details?: object): Promise<object>;
}

let owners = 0;

interface ConnectedChat {
  readonly caller: Person;
  readonly kind?: 'channel' | 'group';
  readonly username?: string;
  /** Unix ms; null for a chat that isn't for subscribers only. Default: always. */
  readonly paidSince?: number | null;
  readonly checkedAt?: number;
}

/** Creates a channel or group with the bot as an administrator, as if the caller had connected it. */
export async function connectChat({
  caller,
  kind = 'group',
  username = '',
  paidSince = Number.MAX_SAFE_INTEGER,
  checkedAt = 0,
}: ConnectedChat): Promise<TestChat> {
  owners += 1;
  const owner = `chat_owner_${owners}`;
  await stopUpdates();
  const chatId = await createChat({ owner, username, type: kind === 'group' ? 'supergroup' : kind });
  const chat: TestChat = { chatId, act: (action, details) => act(action, owner, { chatId, ...details }) };
  await chat.act('promote', { user: BOT });
  await insertRows('telegram_chats', [
    { chat_id: String(chatId), caller_id: caller.id, kind, paid_since: paidSince, checked_at: checkedAt },
  ]);
  return chat;
}

/** A private supergroup of a caller, with the bot's link by which people ask to join. */
export async function connectGroup(
  app: TestApp,
  caller: Person,
  { isPaid = true }: { isPaid?: boolean } = {},
): Promise<TestChat & { readonly joinLink: string }> {
  const now = app.clock.now();
  const chat = await connectChat({ caller, paidSince: isPaid ? now : null, checkedAt: now });
  await deliverUpdates(app);
  await app.runJobs('chats');
  const [row] = await query<{ joinLink: string }>(
    'SELECT join_link AS joinLink FROM telegram_chats WHERE chat_id = ?',
    String(chat.chatId),
  );
  return { ...chat, joinLink: row?.joinLink ?? '' };
}

/** True if a person is in a chat. */
export async function isInside({ chatId }: Pick<TestChat, 'chatId'>, personId: number): Promise<boolean> {
  const { status } = await bot<{ status: string }>('getChatMember', { chat_id: chatId, user_id: personId });
  return !['left', 'kicked'].includes(status);
}

/** The bot's messages in a chat, oldest first. */
export async function postsIn(chatId: number): Promise<ChatMessage[]> {
  return (await messagesIn(chatId)).filter(({ from, service }) => from === 'bot' && service === null);
}

import { query } from '../database/database.ts';
import { control, testEnv, type Person, type TestApp } from '../test-app.ts';
import { openChat, postUpdate } from './telegram.ts';

export const ALLOWED_UPDATES = [
  'message',
  'callback_query',
  'my_chat_member',
  'chat_member',
  'chat_join_request',
];
const RIGHTS = ['can_post_messages', 'can_invite_users', 'can_restrict_members'];

/** Calls a method of the local Bot API. */
export async function bot<Result = unknown>(method: string, body: object = {}): Promise<Result> {
  const url = `${testEnv.TELEGRAM_API_URL}/bot${testEnv.TELEGRAM_BOT_TOKEN}/${method}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { ok, result, description } = await response.json<{
    ok: boolean;
    result: Result;
    description: string;
  }>();
  if (!ok) throw new Error(`${method}: ${description}`);
  return result;
}

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

/** Posts the waiting updates to the webhook, also those that this causes. */
export async function deliverUpdates(app: TestApp): Promise<void> {
  for (let updates = await takeUpdates(); updates.length > 0; updates = await takeUpdates()) {
    for (const update of updates) {
      const response = await postUpdate(app, update);
      if (!response.ok) {
        throw new Error(`The webhook responded ${response.status}: ${JSON.stringify(update)}`);
      }
    }
  }
}

/** Does something as a user of the local Telegram. `as` is a username or an id. */
export const act = (action: string, as: string | number, details: object): Promise<object> =>
  control('POST', '/telegram/act', { action, as: String(as), ...details });

export const inviteBot = (chatId: number, owner: string, rights = RIGHTS) =>
  act('promote', owner, {
    chatId,
    user: String(Number.parseInt(testEnv.TELEGRAM_BOT_TOKEN, 10)),
    rights: rights.filter((right) => right !== 'can_post_messages'),
  });

export interface TestChat {
  readonly chatId: number;
  readonly owner: string;
  /** The bot's link, by which people ask to join. */
  readonly joinLink: string;
}

let nextOwner = 0;

/** A private supergroup with the bot as an administrator, connected to a caller. */
export async function connectGroup(
  app: TestApp,
  caller: Person,
  { isPaid = true, removesOthers = true }: { isPaid?: boolean; removesOthers?: boolean } = {},
): Promise<TestChat> {
  nextOwner += 1;
  const owner = `owner_of_chat_${nextOwner}`;
  await openChat(owner);
  await takeUpdates();
  const chat = await control<{ id: number }>('POST', '/telegram/chats', {
    as: owner,
    type: 'supergroup',
    title: 'Alpha',
  });
  await inviteBot(chat.id, owner);
  const now = app.clock.now();
  await query(
    `INSERT INTO telegram_chats (chat_id, caller_id, kind, title, paid_since, removes_others, checked_at)
     VALUES (?, ?, 'group', 'Alpha', ?, ?, ?)`,
    String(chat.id),
    caller.id,
    isPaid ? now : null,
    Number(removesOthers),
    now,
  );
  await deliverUpdates(app);
  await app.runJobs('chats');
  const [row] = await query<{ join_link: string }>(
    `SELECT join_link FROM telegram_chats WHERE chat_id = ?`,
    String(chat.id),
  );
  return { chatId: chat.id, owner, joinLink: row?.join_link ?? '' };
}

/** True if a person is in a chat. */
export async function isInside({ chatId }: Pick<TestChat, 'chatId'>, personId: number): Promise<boolean> {
  const { status } = await bot<{ status: string }>('getChatMember', { chat_id: chatId, user_id: personId });
  return !['left', 'kicked'].includes(status);
}

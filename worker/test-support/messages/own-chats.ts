import { control, testEnv, type TestApp } from '../test-app.ts';
import { postUpdate, takeReply } from './telegram.ts';

/** The rights that the bot asks for, as in the links that add it. */
export const RIGHTS: readonly string[] = ['post_messages', 'invite_users', 'restrict_members'];
/** A time after the end of every test, in unix seconds. */
const LATER = 4_000_000_000;
const botId = Number.parseInt(testEnv.TELEGRAM_BOT_TOKEN, 10);

interface NewChat {
  readonly ownerId: number;
  readonly type: 'channel' | 'supergroup' | 'group';
  readonly username?: string;
}

/** Creates a chat on the local Telegram, without the bot. Returns its id. */
export async function createChat({ ownerId, type, username = '' }: NewChat): Promise<number> {
  const chat = { as: String(ownerId), type, title: 'Alpha', username };
  return (await control<{ id: number }>('POST', '/telegram/chats', chat)).id;
}

/** Lets somebody do something in a chat. The user `bot` is our bot. */
export const actIn = <Result = object>(
  chatId: number,
  action: { action: string; as: string; user?: string; [detail: string]: unknown },
) =>
  control<Result>('POST', '/telegram/act', {
    ...action,
    chatId,
    ...(action.user === 'bot' && { user: String(botId) }),
  });

interface BotChange {
  readonly chatId: number;
  readonly byId: number;
  /** Null: the bot is no administrator. */
  readonly rights: readonly string[] | null;
  readonly status?: string;
}

/** Posts the update about the bot's rights in a chat. */
export async function postBotUpdate(
  app: TestApp,
  { chatId, byId, rights, ...change }: BotChange,
): Promise<void> {
  const { type, title } = await control<{ type: string; title: string }>('GET', `/telegram/chats/${chatId}`);
  const user = { id: botId, is_bot: true, first_name: 'Bot' };
  const { status = rights === null ? 'left' : 'administrator' } = change;
  const granted = Object.fromEntries((rights ?? []).map((right) => [`can_${right}`, true]));
  const response = await postUpdate(app, {
    update_id: 840_000_003,
    my_chat_member: {
      chat: { id: chatId, type, title },
      from: { id: byId, is_bot: false, first_name: 'Tele' },
      date: LATER,
      old_chat_member: { user, status: 'left' },
      new_chat_member: { user, status, ...granted },
    },
  });
  if (!response.ok) throw new Error(`The webhook responded ${response.status}`);
}

const privateChat = (id: number) => ({ id, type: 'private', first_name: 'Tele' });

/** The update about a channel or group that a person has chosen for the bot. */
export const pickUpdate = ({ personId, chatId }: { personId: number; chatId: number }) => ({
  update_id: 840_000_004,
  message: {
    message_id: 1,
    date: LATER,
    from: { id: personId, is_bot: false, first_name: 'Tele' },
    chat: privateChat(personId),
    chat_shared: { request_id: 1, chat_id: chatId },
  },
});

/** Presses a button of the bot's message 1 in a private chat. Returns the text that replaces the message. */
export async function pressButton(
  app: TestApp,
  { personId, action }: { personId: number; action: string },
): Promise<string> {
  const reply = await takeReply(app, {
    update_id: 840_000_005,
    callback_query: {
      id: '4242',
      from: { id: personId, is_bot: false, first_name: 'Tele' },
      message: { message_id: 1, date: LATER, chat: privateChat(personId) },
      data: action,
    },
  });
  if (reply?.method !== 'editMessageText') throw new Error(`Unexpected reply: ${JSON.stringify(reply)}`);
  return reply.text;
}

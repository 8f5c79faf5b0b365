import { query } from '../database/database.ts';
import { control, testEnv, type Person } from '../test-app.ts';
import type { ChatMessage } from './telegram.ts';

let nextNumber = 0;

interface Post extends ChatMessage {
  readonly messageId: number;
  readonly isProtected: boolean;
  /** Set for a message such as 'the title has changed'. */
  readonly service: object | null;
}

interface ConnectedChat {
  readonly chatId: number;
  /** The Telegram username of the owner. */
  readonly owner: string;
}

interface NewChat {
  readonly caller: Person;
  readonly kind?: 'channel' | 'group';
  readonly username?: string;
  readonly isPaidConfirmed?: boolean;
}

/** Creates a channel or group with the bot as an administrator, as if the caller had connected it. */
export async function connectChat({
  caller,
  kind = 'group',
  username = '',
  isPaidConfirmed = true,
}: NewChat): Promise<ConnectedChat> {
  nextNumber += 1;
  const owner = `chat_owner_${nextNumber}`;
  await fetch(`${testEnv.TELEGRAM_API_URL}/bot${testEnv.TELEGRAM_BOT_TOKEN}/deleteWebhook`);
  const type = kind === 'group' ? 'supergroup' : 'channel';
  const { id: chatId } = await control<{ id: number }>('POST', '/telegram/chats', {
    as: owner,
    type,
    title: `Chat ${nextNumber}`,
    username,
  });
  await act({ action: 'promote', as: owner, chatId, user: testEnv.TELEGRAM_BOT_USERNAME });
  await query(
    'INSERT INTO telegram_chats (chat_id, caller_id, kind, title, paid_since, checked_at) VALUES (?, ?, ?, ?, ?, 0)',
    String(chatId),
    caller.id,
    kind,
    `Chat ${nextNumber}`,
    isPaidConfirmed ? Number.MAX_SAFE_INTEGER : null,
  );
  return { chatId, owner };
}

/** Lets a person do something in the Telegram app. */
export const act = (action: object) => control('POST', '/telegram/act', action);

/** The bot's messages in a chat, oldest first. */
export async function postsIn(chatId: number): Promise<Post[]> {
  const messages = await control<Post[]>('GET', `/messages?chatId=${chatId}`);
  return messages.filter(({ from, service }) => from === 'bot' && service === null);
}

import type { Descriptions } from '../describe.ts';
import type { User } from '../telegram-state.ts';
import type { TelegramStore } from '../telegram-store.ts';

interface BlockOptions {
  store: TelegramStore;
  describe: Descriptions;
  user: User;
  isBlocked: boolean;
}

/** Blocks or unblocks the bot in its private chat with this user. */
export function setBlocked({ store, describe, user, isBlocked }: BlockOptions): void {
  if (user.isBlocked === isBlocked) return;
  user.isBlocked = isBlocked;
  const member = { user: store.bot, status: 'member' };
  const kicked = { user: store.bot, status: 'kicked', until_date: 0 };
  store.addUpdate('my_chat_member', {
    chat: describe.chat(user.id),
    from: describe.user(user.id),
    date: store.seconds(),
    old_chat_member: isBlocked ? member : kicked,
    new_chat_member: isBlocked ? kicked : member,
  });
}

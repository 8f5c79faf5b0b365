import { UserError } from '../bot-error.ts';
import type { Group, User } from '../telegram-state.ts';
import { hasRight, type TelegramStore } from '../telegram-store.ts';

/** The person who acts, and the chat. */
export interface Scene {
  user: User;
  group: Group;
}

export type SceneRules = ReturnType<typeof createSceneRules>;

/** The app's checks before an action. */
export function createSceneRules(store: TelegramStore) {
  return {
    findGroup(chatId: number): Group {
      const group = store.findGroup(chatId);
      if (group === undefined || group.isDeleted) throw new UserError(`There is no chat ${chatId}.`);
      return group;
    },
    requireRight({ user, group }: Scene, right: string): void {
      if (hasRight(store.memberOf(group, user.id), right)) return;
      throw new UserError(`You need the right ${right} in this chat.`);
    },
    requireOwner({ user, group }: Scene): void {
      if (store.memberOf(group, user.id).status === 'creator') return;
      throw new UserError('Only the owner can do this.');
    },
  };
}

import { UserError } from '../bot-error.ts';
import type { ChatEvents } from '../chat-events.ts';
import type { TelegramStore } from '../telegram-store.ts';
import type { ActionNamed } from './action-schema.ts';
import type { createMemberActions } from './member-actions.ts';
import type { Scene, SceneRules } from './scene.ts';

interface ShareOptions {
  store: TelegramStore;
  events: ChatEvents;
  rules: SceneRules;
  members: ReturnType<typeof createMemberActions>;
}

/** Returns an action that shares a chat with the bot, which first gets the rights that its button asks for. */
export const createShareChat =
  ({ store: { bot, memberOf }, events, rules, members }: ShareOptions) =>
  ({ button, ...action }: ActionNamed<'share-chat'>, scene: Scene): object => {
    const { user, group } = scene;
    const pick = user.pickButtons.find(({ text }) => text === button);
    if (pick === undefined) throw new UserError('The bot has no such button.');
    if (pick.isChannel !== (group.type === 'channel')) {
      throw new UserError('This button is for another kind of chat.');
    }
    for (const right of pick.rights) rules.requireRight(scene, right);
    const granted = memberOf(group, bot.id).rights;
    if (!pick.rights.every((right) => granted.includes(right))) {
      const rights = [...new Set([...granted, ...pick.rights])];
      members.promote({ ...action, action: 'promote', user: String(bot.id), rights }, scene);
    }
    const service = { chat_shared: { request_id: pick.requestId, chat_id: group.id } };
    events.post({ chatId: user.id, senderId: user.id, service });
    return { chatId: user.id };
  };

import type { ActionNamed } from './action-schema.ts';
import { UserError } from '../bot-error.ts';
import { usualRights } from '../api/chat-methods.ts';
import type { ChatEvents } from '../chat-events.ts';
import { rightsOf } from '../describe.ts';
import type { MessageActions } from './message-actions.ts';
import type { Scene, SceneRules } from './scene.ts';
import type { Group, Member } from '../telegram-state.ts';
import { isInside, outsider, plainMember, type TelegramStore } from '../telegram-store.ts';

interface MemberActionOptions {
  store: TelegramStore;
  events: ChatEvents;
  messages: MessageActions;
  rules: SceneRules;
}

/** Actions with the members of a chat, one of which is the bot. */
export function createMemberActions({ store, events, messages, rules }: MemberActionOptions) {
  const { bot, state } = store;

  function idOf(reference: string): number {
    const isBot = reference.toLowerCase() === bot.username.toLowerCase() || reference === String(bot.id);
    return isBot ? bot.id : store.openUser(reference).id;
  }

  function setMember({ user, group }: Scene, userId: number, to: Member): object {
    if (store.memberOf(group, userId).status === 'creator') {
      throw new UserError("The owner can't be changed.");
    }
    if (userId === bot.id && isInside(to)) requireBotAllowed(group);
    events.changeMember(group, { userId, actorId: user.id, to });
    return {};
  }

  function requireBotAllowed(group: Group): void {
    if (!store.isInside(group, bot.id) && !state.botSettings.canJoinGroups && group.type !== 'channel') {
      throw new UserError("This bot can't be added to groups.");
    }
  }

  function add({ user: added }: ActionNamed<'add'>, scene: Scene): object {
    const userId = idOf(added);
    const { user, group } = scene;
    if (store.isInside(group, userId)) throw new UserError('This user is already in the chat.');
    if (group.type === 'channel') {
      rules.requireRight(scene, 'can_invite_users');
      if (userId === bot.id) throw new UserError('Bots can only be administrators of a channel.');
    } else if (!store.isInside(group, user.id)) throw new UserError('You are not a member.');
    return setMember(scene, userId, plainMember);
  }

  function promote({ user: promoted, rights }: ActionNamed<'promote'>, scene: Scene): object {
    rules.requireRight(scene, 'can_promote_members');
    const known = rightsOf[scene.group.type];
    const unknown = rights?.find((right) => !known.includes(right));
    if (unknown !== undefined) throw new UserError(`A ${scene.group.type} has no right ${unknown}.`);
    const granted = rights === undefined ? usualRights(scene.group) : [...rights, 'can_manage_chat'];
    const to: Member = { status: 'administrator', rights: [...new Set(granted)] };
    return setMember(scene, idOf(promoted), to);
  }

  function findInside({ group }: Scene, reference: string): number {
    const userId = idOf(reference);
    if (store.isInside(group, userId)) return userId;
    throw new UserError('This user is not a member.');
  }

  function restrict({ user }: ActionNamed<'restrict'>, scene: Scene): object {
    return setMember(scene, findInside(scene, user), { ...outsider, status: 'restricted' });
  }

  function demote({ user }: ActionNamed<'demote'>, scene: Scene): object {
    const userId = findInside(scene, user);
    // A channel has no bots but administrators.
    const isGone = userId === bot.id && scene.group.type === 'channel';
    return setMember(scene, userId, isGone ? outsider : plainMember);
  }

  /** Follows a link such as `?startgroup=payload&admin=invite_users+restrict_members`. */
  function addBot({ rights, payload, ...action }: ActionNamed<'add-bot'>, scene: Scene): object {
    const user = String(bot.id);
    if (rights.length > 0) {
      const names = rights
        .map((name) => `can_${name}`)
        .filter((name) => rightsOf[scene.group.type].includes(name));
      promote({ ...action, action: 'promote', user, rights: names }, scene);
    } else add({ ...action, action: 'add', user }, scene);
    if (payload === '' || scene.group.type === 'channel') return {};
    return messages.write(
      { ...action, action: 'write', text: `/start@${bot.username} ${payload}` },
      scene.user,
    );
  }

  function leave({ user, group }: Scene): object {
    if (!store.isInside(group, user.id)) throw new UserError('You are not a member.');
    return setMember({ user, group }, user.id, outsider);
  }

  return { idOf, setMember, add, promote, restrict, demote, addBot, leave };
}

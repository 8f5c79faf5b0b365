import type { Action, ActionNamed, NewChat } from './action-schema.ts';
import type { CallbackQueries } from '../api/callback-queries.ts';
import { changeChat, createChat, migrateChat } from './chat-changes.ts';
import type { ChatEvents } from '../chat-events.ts';
import { createInvitationActions } from './invitation-actions.ts';
import type { Invitations } from '../invitations.ts';
import { createMemberActions } from './member-actions.ts';
import { createMessageActions } from './message-actions.ts';
import { createTopicActions } from './topic-actions.ts';
import { createShareChat } from './share-chat.ts';
import { createSceneRules, type Scene } from './scene.ts';
import { isAdministrator, outsider, type TelegramStore } from '../telegram-store.ts';

interface UserActionOptions {
  store: TelegramStore;
  events: ChatEvents;
  invitations: Invitations;
  queries: CallbackQueries;
}

/** Actions of people in the Telegram app. Each throws UserError if the app refuses it. */
export function createUserActions({ store, events, invitations, queries }: UserActionOptions) {
  const { bot } = store;
  const rules = createSceneRules(store);
  const messages = createMessageActions({ store, events, queries, rules });
  const members = createMemberActions({ store, events, messages, rules });
  const shareChat = createShareChat({ store, events, rules, members });
  const topics = createTopicActions({ store, events, rules });
  const links = createInvitationActions({ invitations, rules, idOf: members.idOf });

  function deleteChat(scene: Scene): object {
    rules.requireOwner(scene);
    const { group, user } = scene;
    // After an upgrade, the bot also hears that it left the old group.
    const former = store.state.groups.filter(({ migratedTo }) => migratedTo === group.id);
    for (const each of [group, ...former]) {
      if (!store.isInside(each, bot.id)) continue;
      events.changeMember(each, { userId: bot.id, actorId: user.id, to: outsider, isQuiet: true });
    }
    group.isDeleted = true;
    store.saveSoon();
    return {};
  }

  function actInGroup(action: GroupAction, scene: Scene, origin: string): object {
    switch (action.action) {
      case 'leave':
        return members.leave(scene);
      case 'add':
        return members.add(action, scene);
      case 'remove':
        rules.requireRight(scene, 'can_restrict_members');
        return members.setMember(scene, members.idOf(action.user), { ...outsider, status: 'kicked' });
      case 'restrict':
        rules.requireRight(scene, 'can_restrict_members');
        return members.restrict(action, scene);
      case 'promote':
        return members.promote(action, scene);
      case 'demote':
        rules.requireRight(scene, 'can_promote_members');
        return members.demote(action, scene);
      case 'add-bot':
        return members.addBot(action, scene);
      case 'share-chat':
        return shareChat(action, scene);
      case 'approve':
      case 'decline':
        return links.decide(scene, { user: action.user, isApproved: action.action === 'approve' });
      case 'create-link':
        return links.create(action, scene, origin);
      case 'revoke-link':
        return links.revoke(action, scene);
      case 'change-chat':
        if (!isAdministrator(store.memberOf(scene.group, scene.user.id))) rules.requireOwner(scene);
        return changeChat({ store, events, ...scene, change: action });
      case 'migrate':
        rules.requireOwner(scene);
        return migrateChat({ store, events, ...scene });
      case 'delete-chat':
        return deleteChat(scene);
      default:
        return topics.act(action, scene);
    }
  }

  return {
    /** @param origin the stand-in's own address, for invite links */
    act(action: Action, origin: string): object {
      const user = store.openUser(action.as);
      switch (action.action) {
        case 'write':
          return messages.write(action, user);
        case 'press':
          return messages.press(action, user);
        case 'delete-message':
          return messages.deleteMessage(action, user);
        case 'join':
          return links.join(action, user);
        default:
          return actInGroup(action, { user, group: rules.findGroup(action.chatId) }, origin);
      }
    },
    createChat: (chat: NewChat) => createChat({ store, chat }),
  };
}

type GroupAction = Exclude<Action, ActionNamed<'write' | 'press' | 'delete-message' | 'join'>>;

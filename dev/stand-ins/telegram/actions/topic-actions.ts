import { UserError } from '../bot-error.ts';
import type { ChatEvents } from '../chat-events.ts';
import type { Group, Message, Topic } from '../telegram-state.ts';
import { GENERAL_TOPIC_ID, type TelegramStore } from '../telegram-store.ts';
import type { ActionNamed } from './action-schema.ts';
import type { Scene, SceneRules } from './scene.ts';

interface TopicActionOptions {
  store: TelegramStore;
  events: ChatEvents;
  rules: SceneRules;
}

type TopicAction = ActionNamed<'create-topic' | 'close-topic' | 'reopen-topic' | 'delete-topic'>;

const ICON_COLOR = 7_322_096;

/** @throws UserError if the group can't have topics */
export function setForum(group: Group, isForum: boolean): void {
  if (group.type !== 'supergroup' || group.linkedChatId !== null) {
    throw new UserError('Only a supergroup that discusses no channel can have topics.');
  }
  const general = { id: GENERAL_TOPIC_ID, name: 'General', isClosed: false };
  if (!isForum) group.topics = [];
  else if (group.topics.length === 0) group.topics.push(general);
}

/** @throws UserError if there is no such topic */
export function findTopic(group: Group, topicId: number): Topic {
  const topic = group.topics.find(({ id }) => id === topicId);
  if (topic === undefined) throw new UserError('There is no such topic.');
  return topic;
}

/** Actions with the topics of a group. */
export function createTopicActions({ store, events, rules }: TopicActionOptions) {
  function post({ user, group }: Scene, topicId: number, service: Message['service']): Message {
    const inTopic = { topicId: topicId === GENERAL_TOPIC_ID ? null : topicId };
    return events.post({ chatId: group.id, senderId: events.actorIn(group, user.id), service, ...inTopic });
  }

  function create({ name }: ActionNamed<'create-topic'>, scene: Scene): object {
    const { group } = scene;
    rules.requireRight(scene, 'can_manage_topics');
    findTopic(group, GENERAL_TOPIC_ID);
    // The topic has the id of its first message.
    const topicId = group.nextMessageId;
    group.topics.push({ id: topicId, name, isClosed: false });
    post(scene, topicId, { forum_topic_created: { name, icon_color: ICON_COLOR } });
    return { topicId };
  }

  function close({ topicId }: { topicId: number }, scene: Scene, isClosed: boolean): object {
    rules.requireRight(scene, 'can_manage_topics');
    findTopic(scene.group, topicId).isClosed = isClosed;
    post(scene, topicId, { [isClosed ? 'forum_topic_closed' : 'forum_topic_reopened']: {} });
    return {};
  }

  /** Telegram tells bots nothing about it. */
  function remove({ topicId }: { topicId: number }, scene: Scene): object {
    const { group } = scene;
    rules.requireRight(scene, 'can_delete_messages');
    if (topicId === GENERAL_TOPIC_ID) throw new UserError("General can't be deleted.");
    group.topics.splice(group.topics.indexOf(findTopic(group, topicId)), 1);
    for (const message of store.messagesOf(group.id)) {
      if (message.topicId === topicId) store.removeMessage(message);
    }
    return {};
  }

  return {
    act(action: TopicAction, scene: Scene): object {
      switch (action.action) {
        case 'create-topic':
          return create(action, scene);
        case 'close-topic':
        case 'reopen-topic':
          return close(action, scene, action.action === 'close-topic');
        case 'delete-topic':
          return remove(action, scene);
      }
    },
  };
}

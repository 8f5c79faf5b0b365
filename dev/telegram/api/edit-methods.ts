import { badRequest } from '../bot-error.ts';
import { readInteger, readText, type ChatAccess, type Parameters, type Target } from './chat-access.ts';
import type { ChatEvents } from '../chat-events.ts';
import type { Descriptions } from '../describe.ts';
import { checkLength, idOf, readCaption, readMessageText } from './message-content.ts';
import { readKeyboard } from './reply-markup.ts';
import type { SendLimits } from './send-limits.ts';
import type { Message } from '../telegram-state.ts';
import { hasRight, type TelegramStore } from '../telegram-store.ts';

const DELETABLE_SECONDS = 2 * 86_400;

interface EditMethodOptions {
  store: TelegramStore;
  describe: Descriptions;
  access: ChatAccess;
  events: ChatEvents;
  limits: SendLimits;
}

/** The methods that change and delete messages. */
export function createEditMethods({ store, describe, access, events, limits }: EditMethodOptions) {
  const { bot } = store;

  function findMessage(
    parameters: Parameters,
    purpose: 'edit' | 'delete',
  ): { target: Target; message: Message } {
    const target = access.find(parameters, purpose === 'edit' ? 'edit' : 'write');
    const message = store.findMessage(idOf(target), readInteger(parameters['message_id']));
    if (message === undefined) throw badRequest(`message to ${purpose} not found`);
    return { target, message };
  }

  function edit(
    parameters: Parameters,
    change: (message: Message) => Partial<Pick<Message, 'text'>>,
  ): object {
    const keyboard = readKeyboard(parameters['reply_markup']);
    const { target, message } = findMessage(parameters, 'edit');
    if (!canEdit(target, message)) throw badRequest("message can't be edited");
    const changed = { text: message.text, entities: message.entities, ...change(message), keyboard };
    if (changed.text === message.text && JSON.stringify(keyboard) === JSON.stringify(message.keyboard)) {
      throw badRequest(
        'message is not modified: specified new message content and reply markup are exactly the same as a ' +
          'current content and reply markup of the message',
      );
    }
    if (target.group !== undefined) limits.take(target.group.id);
    events.edit(message, changed);
    return describe.message(message);
  }

  function canEdit({ group }: Target, message: Message): boolean {
    if (message.service !== null || message.forwardOf !== null) return false;
    if (group?.type !== 'channel') return message.senderId === bot.id;
    const member = store.memberOf(group, bot.id);
    const isOwn = message.senderId === bot.id && hasRight(member, 'can_post_messages');
    return isOwn || hasRight(member, 'can_edit_messages');
  }

  function canDelete({ group }: Target, message: Message): boolean {
    if (message.date <= store.seconds() - DELETABLE_SECONDS) return false;
    if (group === undefined) return true;
    const member = store.memberOf(group, bot.id);
    if (hasRight(member, 'can_delete_messages')) return true;
    const isOwn = message.senderId === bot.id;
    return group.type === 'channel' ? isOwn && hasRight(member, 'can_post_messages') : isOwn;
  }

  return {
    editmessagetext: (parameters: Parameters) => {
      const text = readMessageText(parameters);
      return edit(parameters, ({ photo }) => {
        if (photo !== null) throw badRequest('there is no text in the message to edit');
        checkLength({ text, isCaption: false });
        return { text };
      });
    },
    editmessagecaption: (parameters: Parameters) => {
      const text = readCaption(parameters);
      return edit(parameters, ({ photo }) => {
        if (photo === null) throw badRequest('there is no caption in the message to edit');
        checkLength({ text, isCaption: true });
        return { text };
      });
    },
    editmessagereplymarkup: (parameters: Parameters) => edit(parameters, () => ({})),
    deletemessage: (parameters: Parameters) => {
      if (readText(parameters['chat_id']) === '') throw badRequest('chat identifier is not specified');
      if (readInteger(parameters['message_id']) === 0) {
        throw badRequest('message identifier is not specified');
      }
      const { target, message } = findMessage(parameters, 'delete');
      if (!canDelete(target, message)) throw badRequest("message can't be deleted");
      store.removeMessage(message);
      return true;
    },
  };
}

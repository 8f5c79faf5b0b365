import { badRequest } from '../bot-error.ts';
import { isTrue, readInteger, type ChatAccess, type Parameters } from './chat-access.ts';
import type { ChatEvents } from '../chat-events.ts';
import type { Descriptions } from '../describe.ts';
import { checkLength, idOf, readCaption, readMessageText } from './message-content.ts';
import { readJsonParameter } from './json-parameter.ts';
import type { Photos } from './photos.ts';
import { readKeyboard, readPickButtons } from './reply-markup.ts';
import type { SendLimits } from './send-limits.ts';
import type { TelegramStore } from '../telegram-store.ts';

interface SendMethodOptions {
  store: TelegramStore;
  describe: Descriptions;
  access: ChatAccess;
  events: ChatEvents;
  limits: SendLimits;
  photos: Photos;
}

/** The methods that send messages. */
export function createSendMethods({ store, describe, access, events, limits, photos }: SendMethodOptions) {
  const { bot } = store;

  async function send(parameters: Parameters, photo: string | null): Promise<object> {
    const text = photo === null ? readMessageText(parameters) : readCaption(parameters);
    const keyboard = readKeyboard(parameters['reply_markup']);
    const pickButtons = readPickButtons(parameters['reply_markup']);
    const target = access.find(parameters, 'write');
    access.requireSending(target, photo === null ? 'text messages' : 'photos');
    checkLength({ text, isCaption: photo !== null });
    const chatId = idOf(target);
    const replyTo = readReply(parameters, chatId);
    limits.take(chatId);
    if (target.user !== undefined && pickButtons !== null) target.user.pickButtons = pickButtons;
    const message = events.post({
      chatId,
      senderId: bot.id,
      senderChatId: target.group?.type === 'channel' ? chatId : null,
      text,
      photo,
      keyboard,
      replyTo,
      isProtected: isTrue(parameters['protect_content']) || target.group?.isProtected === true,
    });
    return describe.message(message);
  }

  function readReply(parameters: Parameters, chatId: number): number | null {
    const reply = readJsonParameter(parameters['reply_parameters']);
    if (typeof reply !== 'object' || reply === null || !('message_id' in reply)) return null;
    const messageId = readInteger(reply.message_id);
    if (store.findMessage(chatId, messageId) !== undefined) return messageId;
    if ('allow_sending_without_reply' in reply && isTrue(reply.allow_sending_without_reply)) return null;
    throw badRequest('message to be replied not found');
  }

  return {
    sendmessage: (parameters: Parameters) => send(parameters, null),
    sendphoto: async (parameters: Parameters) =>
      send(parameters, await photos.take(fileIn(parameters, 'photo'))),
  };
}

/** A file parameter: the value, or the uploaded part that `attach://<name>` names. */
function fileIn(parameters: Parameters, name: string): unknown {
  const value = parameters[name];
  const [, part] = typeof value === 'string' ? (/^attach:\/\/(.+)$/.exec(value) ?? []) : [];
  return part === undefined ? value : parameters[part];
}

import { z } from 'zod';
import { badRequest } from '../bot-error.ts';
import {
  isTrue,
  readInteger,
  readJsonParameter,
  readText,
  type ChatAccess,
  type Parameters,
  type Target,
} from './chat-access.ts';
import type { ChatEvents } from '../chat-events.ts';
import type { Descriptions } from '../describe.ts';
import type { Photos } from './photos.ts';
import { readKeyboard, readPickButtons } from './reply-markup.ts';
import type { SendLimits } from './send-limits.ts';
import type { Message } from '../telegram-state.ts';
import { hasRight, type TelegramStore } from '../telegram-store.ts';

interface MessageParts {
  store: TelegramStore;
  describe: Descriptions;
  access: ChatAccess;
  events: ChatEvents;
  limits: SendLimits;
  photos: Photos;
}

/** The methods about messages. */
export const createMessageMethods = (parts: MessageParts) => ({
  ...createSendMethods(parts),
  ...createEditMethods(parts),
});

/** The methods that send messages. */
function createSendMethods({ store, describe, access, events, limits, photos }: MessageParts) {
  const { bot } = store;

  /** The message that is replied to. @throws BotError if it's gone, unless that's allowed */
  function findReplied(chatId: number, parameter: unknown): Message | undefined {
    const { success, data } = replyParameters.safeParse(readJsonParameter(parameter));
    if (!success) throw badRequest("can't parse reply parameters JSON object");
    if (data === undefined) return undefined;
    const replied = store.findMessage(chatId, data.message_id);
    if (replied !== undefined || data.allow_sending_without_reply) return replied;
    throw badRequest('message to be replied not found');
  }

  async function send(parameters: Parameters, photo: string | null): Promise<object> {
    const text = photo === null ? readMessageText(parameters) : readCaption(parameters);
    const keyboard = readKeyboard(parameters['reply_markup']);
    const pickButtons = readPickButtons(parameters['reply_markup']);
    const target = access.find(parameters, 'write');
    access.requireSending(target, photo === null ? 'text messages' : 'photos');
    checkLength({ text, isCaption: photo !== null });
    const chatId = idOf(target);
    const replied = findReplied(chatId, parameters['reply_parameters']);
    const topicId = access.findTopic(target, { parameters, replied });
    // Telegram drops a reply to a protected message of another topic without a word, but sends the message.
    const isDropped = replied?.isProtected === true && replied.topicId !== topicId;
    limits.take(chatId);
    if (target.user !== undefined && pickButtons !== null) target.user.pickButtons = pickButtons;
    const message = events.post({
      chatId,
      senderId: bot.id,
      senderChatId: target.group?.type === 'channel' ? chatId : null,
      text,
      photo,
      keyboard,
      replyTo: isDropped ? null : (replied?.messageId ?? null),
      topicId,
      isProtected: isTrue(parameters['protect_content']) || target.group?.isProtected === true,
    });
    return describe.message(message);
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

/** The method that changes messages. */
function createEditMethods({ store, describe, access, events, limits }: MessageParts) {
  const { bot } = store;

  function canEdit({ group }: Target, message: Message): boolean {
    if (message.service !== null || message.forwardOf !== null) return false;
    if (group?.type !== 'channel') return message.senderId === bot.id;
    const member = store.memberOf(group, bot.id);
    const isOwn = message.senderId === bot.id && hasRight(member, 'can_post_messages');
    return isOwn || hasRight(member, 'can_edit_messages');
  }

  return {
    editmessagetext: (parameters: Parameters) => {
      const text = readMessageText(parameters);
      const keyboard = readKeyboard(parameters['reply_markup']);
      const target = access.find(parameters, 'edit');
      const message = store.findMessage(idOf(target), readInteger(parameters['message_id']));
      if (message === undefined) throw badRequest('message to edit not found');
      if (!canEdit(target, message)) throw badRequest("message can't be edited");
      access.findTopic(target, { parameters: {}, replied: message });
      if (message.photo !== null) throw badRequest('there is no text in the message to edit');
      checkLength({ text, isCaption: false });
      if (text === message.text && JSON.stringify(keyboard) === JSON.stringify(message.keyboard)) {
        throw badRequest(
          'message is not modified: specified new message content and reply markup are exactly the same as a ' +
            'current content and reply markup of the message',
        );
      }
      if (target.group !== undefined) limits.take(target.group.id);
      events.edit(message, { text, entities: message.entities, keyboard });
      return describe.message(message);
    },
  };
}

const replyParameters = z
  .object({ message_id: z.number().int(), allow_sending_without_reply: z.boolean().default(false) })
  .optional();

const MAX_TEXT_LENGTH = 4096;
const MAX_CAPTION_LENGTH = 1024;

const idOf = (target: Target) => (target.group ?? target.user).id;

function readMessageText(parameters: Parameters): string {
  refuseFormatting(parameters);
  const text = readText(parameters['text']);
  if (text.trim() === '') throw badRequest('message text is empty');
  return text;
}

function readCaption(parameters: Parameters): string {
  refuseFormatting(parameters);
  return readText(parameters['caption']);
}

/** Storing formatting unparsed would hide missing escapes. */
function refuseFormatting(parameters: Parameters): void {
  if (readText(parameters['parse_mode']) !== '') {
    throw badRequest('the local stand-in reads plain text only');
  }
}

function checkLength({ text, isCaption }: { text: string; isCaption: boolean }): void {
  if (isCaption && text.length > MAX_CAPTION_LENGTH) throw badRequest('message caption is too long');
  if (!isCaption && text.length > MAX_TEXT_LENGTH) throw badRequest('message is too long');
}

import type { Chat, ChatMessage } from './chat-state.ts';

export function describeUser({ id, firstName, handle }: Chat): object {
  return { id, is_bot: false, first_name: firstName, username: handle, language_code: 'en' };
}

export function describeChat({ id, firstName, handle }: Chat): object {
  return { id, first_name: firstName, username: handle, type: 'private' };
}

export function describeMessage({
  message,
  chat,
  from,
}: {
  message: ChatMessage;
  chat: Chat;
  from: object;
}): object {
  return {
    message_id: message.messageId,
    from,
    chat: describeChat(chat),
    date: message.date,
    text: message.text,
    ...(message.entities.length === 0 ? {} : { entities: message.entities }),
    ...(message.buttons.length === 0
      ? {}
      : { reply_markup: { inline_keyboard: message.buttons.map((button) => [button]) } }),
  };
}

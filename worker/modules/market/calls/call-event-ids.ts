/** The id with which a sender accepts an event again. For private chats, `part` is the chat whose members get it. */
export const repeatedEventId = (eventId: string, part: string): string => `${eventId}@${part}`;

export function readEventId(id: string): { readonly eventId: string; readonly part: string | null } {
  const [eventId = '', part = null] = id.split('@');
  return { eventId, part };
}

export const endedEventId = (callId: string): string => `call_ended:${callId}`;

import type { OutgoingEvent } from '../../../ports/outbox.ts';

interface Repeated {
  readonly callerId: string;
  /** For private chats, the chat whose members get the event. */
  readonly part: string;
}

/** The event of a call with another id, so that a sender accepts it again. */
export function repeatEvent(eventId: string, { callerId, part }: Repeated): OutgoingEvent {
  const [kind = '', ...subject] = eventId.split(':');
  return { kind, id: `${eventId}@${part}`, subject: subject.join(':'), userId: callerId };
}

export function readEventId(id: string): { readonly eventId: string; readonly part: string | null } {
  const [eventId = '', part = null] = id.split('@');
  return { eventId, part };
}

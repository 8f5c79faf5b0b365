import type { OutgoingEvent } from '../../ports/outbox.ts';

/** An event of a call with this id. */
export function callEvent(id: string, callerId: string): OutgoingEvent {
  const [kind = '', ...subject] = id.split(':');
  return { kind, id, subject: subject.join(':'), userId: callerId };
}

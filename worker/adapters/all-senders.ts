import type { Outbox, OutgoingEvent } from '../ports/outbox.ts';

/**
 * Sends each event to the senders of all channels. `open` returns new stubs each time, because a stub can't be reused
 * in another request.
 */
export const createFanOutOutbox = (open: () => readonly Outbox[]): Outbox => ({
  add: async (events) => void (await Promise.all(open().map((sender) => sender.add(events)))),
  resend: async (ids) => void (await Promise.all(open().map((sender) => sender.resend(ids)))),
  wake: async () => {
    const [purged = 0] = await Promise.all(open().map((sender) => sender.wake()));
    return purged;
  },
});

export const onlyEvents = (outbox: Outbox, isFor: (event: OutgoingEvent) => boolean): Outbox => ({
  add: async (events) => {
    const chosen = events.filter(isFor);
    if (chosen.length > 0) await outbox.add(chosen);
  },
  resend: (ids) => outbox.resend(ids),
  wake: () => outbox.wake(),
});

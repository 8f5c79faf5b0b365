import type { Outbox } from '../ports/outbox.ts';

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

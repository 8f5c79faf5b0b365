import { CHANNELS, type Channel, type Outbox, type OutgoingEvent } from '../ports/outbox.ts';

interface SendersOptions {
  /** Returns a new stub each time, because a stub can't be reused in another request. */
  readonly open: (channel: Channel) => Outbox;
  readonly isFor: (channel: Channel, event: OutgoingEvent) => boolean;
}

/** The senders of all channels. Each gets the events that are for its channel. */
export function createAllSenders({ open, isFor }: SendersOptions): Outbox {
  const withEach = <Result>(run: (sender: Outbox, channel: Channel) => Promise<Result>) =>
    Promise.all(CHANNELS.map((channel) => run(open(channel), channel)));
  return {
    async add(events) {
      await withEach(async (sender, channel) => {
        const chosen = events.filter((event) => isFor(channel, event));
        if (chosen.length > 0) await sender.add(chosen);
      });
    },
    resend: async (ids) => void (await withEach((sender) => sender.resend(ids))),
    async wake() {
      const [purged = 0] = await withEach((sender) => sender.wake());
      return purged;
    },
  };
}

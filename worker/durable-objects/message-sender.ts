import { DurableObject } from 'cloudflare:workers';
import type { Bindings } from '../app/env.ts';
import { servicesOf } from '../app/services.ts';
import type { Sender } from '../modules/messages/delivery/sender.ts';
import {
  CHANNELS,
  type Channel,
  type ChannelOutbox,
  type MessageResult,
  type OutgoingEvent,
} from '../ports/outbox.ts';

/**
 * Sends the messages of one channel. Each channel has one instance, with a database of events and an alarm that sends
 * them, so that no channel waits for another one's rate limit.
 */
export class MessageSender extends DurableObject<Bindings> implements ChannelOutbox {
  #opened: Sender | null = null;

  get #sender(): Sender {
    const { storage } = this.ctx;
    this.#opened ??= servicesOf(this.env).openSender(this.#findChannel(), {
      sql: storage.sql,
      setAlarm: (at) => (at === null ? storage.deleteAlarm() : storage.setAlarm(at)),
    });
    return this.#opened;
  }

  /** The object's name. An alarm that starts the object doesn't know it, so it's also stored. */
  #findChannel(): Channel {
    const { id, storage } = this.ctx;
    const channel = CHANNELS.find((each) => each === (id.name ?? storage.kv.get('channel')));
    if (channel === undefined) throw new Error(`No channel has the name ${id.name}`);
    storage.kv.put('channel', channel);
    return channel;
  }

  add(events: readonly OutgoingEvent[]): Promise<void> {
    return this.#sender.add(events);
  }

  resend(ids: readonly string[]): Promise<void> {
    return this.#sender.resend(ids);
  }

  wake(): Promise<number> {
    return this.#sender.wake();
  }

  async listResults(userId: string): Promise<MessageResult[]> {
    return this.#sender.listResults(userId);
  }

  override alarm(): Promise<void> {
    return this.#sender.run();
  }
}

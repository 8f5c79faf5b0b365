import { DurableObject } from 'cloudflare:workers';
import type { Bindings } from '../app/env.ts';
import { servicesOf } from '../app/services.ts';
import type { Sender } from '../modules/messages/delivery/sender.ts';
import type { Channel, ChannelOutbox, MessageResult, OutgoingEvent } from '../ports/outbox.ts';

/** Sends all Telegram messages. There is one instance, with a database of events and an alarm that sends them. */
export class MessageSender extends DurableObject<Bindings> implements ChannelOutbox {
  readonly #sender: Sender;

  constructor(ctx: DurableObjectState, env: Bindings, channel: Channel = 'telegram') {
    super(ctx, env);
    this.#sender = servicesOf(env).openSender(channel, {
      sql: ctx.storage.sql,
      setAlarm: (at) => (at === null ? ctx.storage.deleteAlarm() : ctx.storage.setAlarm(at)),
    });
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

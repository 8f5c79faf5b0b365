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

/** Posts calls in channels and groups, so that they don't wait behind private messages. There is one instance. */
export class ChatSender extends MessageSender {
  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env, 'chat');
  }
}

/** Sends all Web Push messages, which therefore don't wait for Telegram's rate limit. There is one instance. */
export class PushSender extends MessageSender {
  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env, 'push');
  }
}

/** Sends all webhooks, so that slow receivers delay no messages to people. There is one instance. */
export class WebhookSender extends MessageSender {
  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env, 'webhook');
  }
}

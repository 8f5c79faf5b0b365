import type { Bindings } from '../app/env.ts';
import { MessageSender } from './message-sender.ts';

/** Sends all Web Push messages, which therefore don't wait for Telegram's rate limit. There is one instance. */
export class PushSender extends MessageSender {
  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env, 'push');
  }
}

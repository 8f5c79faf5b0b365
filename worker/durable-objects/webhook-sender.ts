import type { Bindings } from '../app/env.ts';
import { MessageSender } from './message-sender.ts';

/** Sends all webhooks, so that slow receivers delay no messages to people. There is one instance. */
export class WebhookSender extends MessageSender {
  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env, 'webhook');
  }
}

import type { Bindings } from '../app/env.ts';
import { MessageSender } from './message-sender.ts';

/** Posts calls in channels and groups, so that they don't wait behind private messages. There is one instance. */
export class ChatSender extends MessageSender {
  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env, 'chat');
  }
}

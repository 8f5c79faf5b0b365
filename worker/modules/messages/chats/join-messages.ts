import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { JOIN_REQUEST_MS } from '#schema/constants/messages.ts';
import { HOUR_MS } from '#schema/constants/time.ts';
import type { Base } from '../../../app/base.ts';
import { RateLimitedError } from '../../../ports/messenger.ts';
import { isolateName, showHandle } from '../../../shared/plain-text.ts';
import type { MemberRow } from './access.repository.ts';

/** Further requests of a person get no message. */
const WAITING_MESSAGES = { burst: 5, everyMs: HOUR_MS };

export function createJoinMessages({
  messenger,
  attempts,
  vars,
}: Pick<Base, 'messenger' | 'attempts' | 'vars'>) {
  return {
    async sayHowToGetIn(row: MemberRow): Promise<void> {
      const { personId, callerId, handle, contactId } = row;
      const attempt = { action: 'chats.invite', person: personId, limit: WAITING_MESSAGES };
      if ((await attempts.take(attempt)) > 0) return;
      const result = await messenger.send({
        chatId: contactId ?? personId,
        text:
          `${isolateName(row.title) ?? 'This chat'} is for subscribers of ${showHandle(handle)} on ${PRODUCT_NAME}. Subscribe there and connect ` +
          `this Telegram, and you get in within seconds. Otherwise, your request ends after ` +
          `${JOIN_REQUEST_MS / HOUR_MS} hours.`,
        buttons: [{ text: 'Get access', url: `${vars.APP_ORIGIN}/caller/${callerId}#join` }],
      });
      if (result.status === 'rate_limited') throw new RateLimitedError(result.retryAfterSeconds);
      if (result.status === 'failed') throw new Error("The message to a person who asks to join wasn't sent");
    },

    /** Tells a person who has waited that they are in. Telegram also shows this, so a failure does no harm. */
    async sayIsIn(row: MemberRow): Promise<void> {
      const { personId, joinLink } = row;
      await messenger.send({
        chatId: personId,
        text: `You can read ${isolateName(row.title) ?? 'the chat'} now.`,
        buttons: joinLink === null ? [] : [{ text: 'Open the chat', url: joinLink }],
      });
    },
  };
}

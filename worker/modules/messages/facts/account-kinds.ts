import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { NOTICE_LIFETIME_MS } from '#schema/constants/messages.ts';
import { describeTime } from '../../../shared/plain-text.ts';
import { readMade, type MadeWay } from '../../people/ways/way-made.ts';
import type { ChatsService } from '../chats/chats.service.ts';
import { factKind } from './fact-kind.ts';
import { isForFormerChat } from './former-chat.repository.ts';
import type { NoticesRepository } from './notices.repository.ts';

export interface AccountKindsOptions {
  readonly notices: NoticesRepository;
  readonly telegramChats: ChatsService;
  readonly appOrigin: string;
}

const IF_NOT_YOU = "If it wasn't you, change your password on X and log out of all other sessions there.";

const MADE_WAYS: Readonly<Record<MadeWay, string>> = {
  key: 'A new API key can read what you see.',
  calling_key: 'A new API key can make calls in your name.',
  webhook: 'A new webhook gets your calls, payments and ended subscriptions.',
  telegram: 'A Telegram chat was connected to your account.',
  telegram_calls: 'Calls can now be made in your name from your Telegram chat.',
  chat: 'A Telegram group or channel now gets your calls.',
  push: 'A browser now gets your notifications.',
  x: `${PRODUCT_NAME} may now post on X for you.`,
};

export function createAccountKinds({ notices, telegramChats, appOrigin }: AccountKindsOptions) {
  return {
    /** Says what to do if it was somebody else. Told however late, like a changed payout wallet. */
    new_device: factKind({
      lifetimeMs: Infinity,
      isSecurity: true,
      find: notices.findDevice,
      text: (device) =>
        [
          'A new device signed in to your account.',
          `Device: ${device.label}\nWhen: ${describeTime(device.at)}`,
          `${IF_NOT_YOU} Then log that device out in your settings.`,
          `${appOrigin}/settings/sign-ins`,
        ].join('\n\n'),
    }),

    way_made: factKind({
      lifetimeMs: Infinity,
      isSecurity: true,
      // The bot has already answered in the private chat that was connected, or that has connected a group. The browser
      // that gets notifications has said so, too.
      isFor: (channel, { id, subject }) =>
        channel === 'telegram'
          ? isForFormerChat(id) || !/^(?:telegram|chat):/.test(subject)
          : !subject.startsWith('push:'),
      find: async ({ subject }) => readMade(subject),
      text: ({ made, at }) =>
        [
          `${MADE_WAYS[made]}\nWhen: ${describeTime(at)}`,
          `${IF_NOT_YOU} Then end all others in your settings.`,
          `${appOrigin}/settings/sign-ins`,
        ].join('\n\n'),
    }),

    /** The person's own channel or group has a problem. */
    chat_problem: factKind({
      lifetimeMs: NOTICE_LIFETIME_MS,
      find: telegramChats.composeProblem,
      text: (message) => message,
    }),

    /** The person was removed from a caller's chat. */
    chat_removed: factKind({
      lifetimeMs: NOTICE_LIFETIME_MS,
      find: telegramChats.composeRemoval,
      text: (message) => message,
    }),
  };
}

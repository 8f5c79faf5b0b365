import { NOTICE_LIFETIME_MS } from '#schema/constants/messages.ts';
import { describeTime } from '../../../shared/plain-text.ts';
import type { ChatsService } from '../chats/chats.service.ts';
import { factKind } from './fact-kind.ts';
import type { NoticesRepository } from './notices.repository.ts';

export interface AccountKindsOptions {
  readonly notices: NoticesRepository;
  readonly telegramChats: ChatsService;
  readonly appOrigin: string;
}

export function createAccountKinds({ notices, telegramChats, appOrigin }: AccountKindsOptions) {
  return {
    /** Says what to do if it was somebody else. Told however late, like a changed payout wallet. */
    new_device: factKind({
      lifetimeMs: Infinity,
      find: notices.findDevice,
      text: (device) =>
        [
          'A new device signed in to your account.',
          `Device: ${device.label}\nWhen: ${describeTime(device.at)}`,
          "If it wasn't you, change your password on X and log out of all other sessions there. " +
            'Then log that device out in your settings.',
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

import type { TelegramCalls } from '#schema/contracts/notifications.ts';
import { isFreshSignIn } from '#schema/rules/money/payout-change.ts';
import { AppError, createSignInTooOldError } from '../../../app/errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { CallerGuard } from '../../people/users/caller-guard.ts';
import type { CallerOffersRepository } from './caller-offers.repository.ts';

interface TelegramCallsOptions {
  readonly offers: Pick<CallerOffersRepository, 'switchCalls'>;
  readonly callers: Pick<CallerGuard, 'assertIsCaller'>;
  readonly clock: Clock;
}

export interface TelegramCallsChange extends TelegramCalls {
  readonly userId: string;
  readonly signedInAt: number;
}

/** Lets callers decide whether they may call in the chat with the bot. */
export function createTelegramCallsService({ offers, callers, clock }: TelegramCallsOptions) {
  return {
    /**
     * Only switching on needs a recent sign-in.
     * @throws users.not_a_caller, auth.fresh_sign_in_needed, telegram.not_connected
     */
    async change({ userId, signedInAt, isOn }: TelegramCallsChange): Promise<TelegramCalls> {
      const now = clock.now();
      await callers.assertIsCaller(userId);
      if (isOn && !isFreshSignIn({ signedInAt, now })) {
        throw createSignInTooOldError('make calls from Telegram');
      }
      const isChanged = await offers.switchCalls({ userId, callsFrom: isOn ? now : null });
      if (!isChanged) throw new AppError({ code: 'telegram.not_connected' });
      return { isOn };
    },
  };
}

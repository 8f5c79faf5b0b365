import { OFFER_LIFETIME_MS } from '#schema/constants/messages.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { AppError } from '../../../app/errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Reply } from '../../../ports/messenger.ts';
import { showToken } from '../../../shared/plain-text.ts';
import { createToken } from '../../../shared/secrets.ts';
import type { CallsService } from '../../market/calls/calls.service.ts';
import type { CallerOffersRepository, Offer } from './caller-offers.repository.ts';
import {
  callerTexts as texts,
  describeEnded,
  describeEnding,
  describeOpened,
  describeToken,
  type OfferedToken,
} from './caller-texts.ts';

export interface CallerCardsOptions {
  readonly offers: Pick<CallerOffersRepository, 'save' | 'take'>;
  readonly calls: Pick<CallsService, 'create' | 'end'>;
  readonly clock: Clock;
  readonly appOrigin: string;
}

interface Card {
  readonly userId: string;
  readonly offer: Offer;
  readonly text: string;
  readonly yes?: string;
}

const ACTION = /^o:([\w-]{43}):(yes|no)$/;

export function readAction(action: string): { readonly nonce: string; readonly isYes: boolean } | null {
  const [, nonce, choice] = ACTION.exec(action) ?? [];
  return nonce === undefined ? null : { nonce, isYes: choice === 'yes' };
}

export function createCallerCards({ offers, calls, clock, appOrigin }: CallerCardsOptions) {
  const show = async ({ userId, offer, text, yes = 'Confirm' }: Card): Promise<Reply> => {
    const nonce = createToken();
    await offers.save({ userId, offer, nonce, expiresAt: clock.now() + OFFER_LIFETIME_MS });
    const no = 'open' in offer ? 'Cancel' : 'Keep it active';
    const buttons = [
      { text: yes, action: `o:${nonce}:yes` },
      { text: no, action: `o:${nonce}:no` },
    ];
    return { text, buttons: [buttons] };
  };

  const withLink = (text: string, callId: string): Reply => {
    return { text, buttons: [[{ text: 'Open', url: `${appOrigin}/call/${callId}` }]] };
  };

  const run = async (userId: string, offer: Offer): Promise<Reply> => {
    if ('open' in offer) {
      const made = await calls.create({ userId, body: offer.open, madeOn: 'telegram' });
      return withLink(describeOpened(made), made.id);
    }
    return withLink(describeEnded(await calls.end(offer.end)), offer.end.id);
  };

  return {
    withLink,

    showToken(userId: string, token: OfferedToken): Promise<Reply> {
      const { mint: tokenMint, symbol: tokenSymbol, name: tokenName, price: entryPrice } = token;
      const open = { callerId: userId, tokenMint, tokenSymbol, tokenName, entryPrice };
      return show({ userId, offer: { open }, text: describeToken(token, clock.now()) });
    },

    showEnd(userId: string, call: TokenCall): Promise<Reply> {
      const end = { id: call.id, userId, isOnlyIfCounted: true, seenPrice: call.lastPrice?.price };
      return show({ userId, offer: { end }, text: describeEnding(call, clock.now()) });
    },

    cancel: (offer: Offer): Reply => ({ text: 'open' in offer ? texts.cancelled : texts.stillActive }),

    /**
     * Opens or ends a call. If only its price is refused, the caller may confirm a new price. @throws other refusals
     */
    async confirm(userId: string, offer: Offer): Promise<Reply> {
      try {
        return await run(userId, offer);
      } catch (error) {
        const refusal = readPriceRefusal(error);
        if ('open' in offer) {
          const open = { ...offer.open, entryPrice: refusal.price };
          const text = `${showToken(open)}: ${refusal.message}`;
          return show({ userId, offer: { open }, text, yes: 'Call at the new price' });
        }
        const { isOnlyIfCounted = false } = offer.end;
        const end = {
          ...offer.end,
          seenPrice: refusal.price,
          isOnlyIfCounted: isOnlyIfCounted && !refusal.isUncounted,
        };
        const yes = refusal.isUncounted ? 'End anyway' : 'End at the new price';
        return show({ userId, offer: { end }, text: `${texts.stillActive} ${refusal.message}`, yes });
      }
    },
  };
}

function readPriceRefusal(error: unknown) {
  const isUncounted = error instanceof AppError && error.code === 'calls.gain_not_counted';
  const isMoved = error instanceof AppError && error.code === 'calls.price_moved';
  if (!isUncounted && !isMoved) throw error;
  const { message, details } = error;
  return { isUncounted, message, price: String(details['currentPrice'] ?? details['endPrice']) };
}

import { AppError } from '../../../app/errors.ts';
import type { Reply } from '../../../ports/messenger.ts';
import type { CallsService } from '../../market/calls/calls.service.ts';
import type { CallUpdatesService } from '../notifications/call-updates.service.ts';
import { CANCEL, KEEP, type CallerCards } from './caller-cards.ts';
import type { Choice, Offer } from './caller-offers.ts';
import { callerTexts as texts, describeEnded, describeOpened, describeSent } from './caller-texts.ts';

export interface CallerActionsOptions {
  readonly calls: Pick<CallsService, 'create' | 'end'>;
  readonly callUpdates: Pick<CallUpdatesService, 'send'>;
  readonly appOrigin: string;
}

type OfferOf<Kind extends Offer['kind']> = Extract<Offer, { readonly kind: Kind }>;

/** The actions of the buttons under callers' cards. */
export function createCallerActions(
  { show, showEnd, listActive }: CallerCards,
  { calls, callUpdates, appOrigin }: CallerActionsOptions,
) {
  const withLink = (text: string, callId: string): Reply => {
    return { text, buttons: [[{ text: 'Open', url: `${appOrigin}/call/${callId}` }]] };
  };

  const send = async (userId: string, body: { callId: string; message: string }): Promise<Reply> => {
    const { recipients } = await callUpdates.send({ userId, body });
    return withLink(describeSent(recipients), body.callId);
  };

  const open = async (userId: string, offer: OfferOf<'call'>): Promise<Reply> => {
    const { mint: tokenMint, symbol: tokenSymbol, name: tokenName, price: entryPrice } = offer;
    const body = { callerId: userId, tokenMint, tokenSymbol, tokenName, entryPrice };
    try {
      const made = await calls.create({ userId, body, madeOn: 'telegram' });
      return withLink(describeOpened(made), made.id);
    } catch (error) {
      const moved = readRefusal(error, 'calls.price_moved');
      return show({
        userId,
        offer: { ...offer, price: moved.price },
        text: moved.message,
        rows: [[['yes', 'Call at the new price'], CANCEL]],
      });
    }
  };

  const end = async (userId: string, offer: OfferOf<'end'>): Promise<Reply> => {
    const { callId: id, price, isOnlyIfCounted } = offer;
    try {
      const ended = await calls.end({ id, userId, isOnlyIfCounted, seenPrice: price ?? undefined });
      return withLink(describeEnded(ended), id);
    } catch (error) {
      const refused = readRefusal(error, 'calls.price_moved', 'calls.gain_not_counted');
      const isUncounted = refused.code === 'calls.gain_not_counted';
      return show({
        userId,
        offer: { ...offer, price: refused.price, isOnlyIfCounted: isOnlyIfCounted && !isUncounted },
        text: `${texts.stillActive} ${refused.message}`,
        rows: [[['yes', isUncounted ? 'End anyway' : 'End at the new price'], KEEP]],
      });
    }
  };

  return {
    send,

    /** Does what a pressed button says. */
    async act({ userId, offer }: { userId: string; offer: Offer }, choice: Choice): Promise<Reply> {
      if (choice === 'no') return { text: offer.kind === 'end' ? texts.stillActive : texts.cancelled };
      if (offer.kind === 'call') return open(userId, offer);
      if (offer.kind === 'end') return end(userId, offer);
      const callId = offer.callIds[Number(choice)] ?? '';
      if (offer.kind === 'update') return send(userId, { callId, message: offer.message });
      const chosen = (await listActive(userId)).find(({ id }) => id === callId);
      if (chosen === undefined) throw new AppError({ code: 'calls.already_ended' });
      return showEnd(userId, chosen);
    },
  };
}

/**
 * A refusal after which the caller may confirm again at another price.
 * @throws every other error
 */
function readRefusal(error: unknown, ...codes: readonly AppError['code'][]) {
  if (!(error instanceof AppError) || !codes.includes(error.code)) throw error;
  const { code, message, details } = error;
  return { code, message, price: String(details['currentPrice'] ?? details['endPrice']) };
}

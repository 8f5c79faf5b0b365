import { MAX_LISTED_IN_CHAT, OFFER_LIFETIME_MS } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { TokenLookup } from '#schema/contracts/prices.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ChatButton, Reply } from '../../../ports/messenger.ts';
import { splitBatches } from '../../../shared/batches.ts';
import { showSymbol } from '../../../shared/plain-text.ts';
import { createToken } from '../../../shared/secrets.ts';
import type { CallsService } from '../../market/calls/calls.service.ts';
import type { CallerOffersRepository } from './caller-offers.repository.ts';
import { actionOf, type Choice, type Offer } from './caller-offers.ts';
import { callerTexts as texts, describeEnding, describeToken } from './caller-texts.ts';

export interface CallerCardsOptions {
  readonly offers: CallerOffersRepository;
  readonly calls: Pick<CallsService, 'listActive'>;
  readonly clock: Clock;
}

export type CallerCards = ReturnType<typeof createCallerCards>;

export interface Card {
  readonly userId: string;
  readonly offer: Offer;
  readonly text: string;
  readonly rows: readonly (readonly Label[])[];
}

export type Label = readonly [choice: Choice, text: string];

const SYMBOL_LENGTH = 16;
const BUTTONS_PER_ROW = 3;
export const CANCEL: Label = ['no', 'Cancel'];
export const KEEP: Label = ['no', 'Keep it active'];

/** The cards with buttons that callers get in their private chat. */
export function createCallerCards({ offers, calls, clock }: CallerCardsOptions) {
  const show = async ({ userId, offer, text, rows }: Card): Promise<Reply> => {
    const nonce = createToken();
    await offers.save({ userId, offer, nonce, expiresAt: clock.now() + OFFER_LIFETIME_MS });
    const toButton = ([choice, label]: Label): ChatButton => ({
      text: label,
      action: actionOf(nonce, choice),
    });
    return { text, buttons: rows.map((row) => row.map(toButton)) };
  };

  /** The newest first. */
  const listActive = async (userId: string): Promise<TokenCall[]> =>
    (await calls.listActive({ callerId: userId, viewerId: userId })).read();

  const showToken = (userId: string, token: TokenLookup & { readonly price: string }): Promise<Reply> => {
    const { mint, symbol, name, price } = token;
    const offer = { kind: 'call', mint, symbol, name, price } as const;
    return show({
      userId,
      offer,
      text: describeToken(token, clock.now()),
      rows: [[['yes', 'Confirm'], CANCEL]],
    });
  };

  const showEnd = (userId: string, call: TokenCall): Promise<Reply> => {
    const price = call.lastPrice?.price ?? null;
    const offer = { kind: 'end', callId: call.id, price, isOnlyIfCounted: true } as const;
    return show({
      userId,
      offer,
      text: describeEnding(call, clock.now()),
      rows: [[['yes', 'Confirm'], KEEP]],
    });
  };

  /** Asks for one of several calls. `message` is the update to send; without one, the call will end. */
  const showChoice = (
    userId: string,
    active: readonly TokenCall[],
    message: string | null,
  ): Promise<Reply> => {
    const listed = active.slice(0, MAX_LISTED_IN_CHAT);
    const callIds = listed.map(({ id }) => id);
    const labels = listed.map((call, index): Label => [index, showSymbol(call, SYMBOL_LENGTH)]);
    const question = message === null ? texts.whichEnd : texts.whichUpdate;
    return show({
      userId,
      offer: message === null ? { kind: 'choose_end', callIds } : { kind: 'update', message, callIds },
      text: listed.length < active.length ? `${question}\n\n${texts.moreCalls}` : question,
      rows: [...splitBatches(labels, BUTTONS_PER_ROW), [CANCEL]],
    });
  };

  return { show, listActive, showToken, showEnd, showChoice };
}

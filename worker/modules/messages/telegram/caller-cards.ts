import { Composer, InlineKeyboard } from 'grammy';
import { OFFER_LIFETIME_MS } from '#schema/constants/messages.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { BotContext } from '../../../adapters/telegram-bot.ts';
import { AppError } from '../../../app/errors.ts';
import { hasWayEnded, whileOpen } from '../../../shared/database.ts';
import { showToken } from '../../../shared/plain-text.ts';
import { createToken } from '../../../shared/secrets.ts';
import type { BotOptions } from './bot-options.ts';
import {
  callerTexts as texts,
  describeEnded,
  describeEnding,
  describeOpened,
  describeToken,
  type OfferedToken,
} from './caller-texts.ts';
import { createTelegramLinksRepository, type Offer } from './telegram-links.repository.ts';

interface Card {
  readonly userId: string;
  readonly offer: Offer;
  readonly text: string;
  readonly yes?: string;
}

/** Cards with two buttons that open or end a call, or don't. A card's buttons work once and for a minute. */
export function createCallerCards({ db, calls, clock, vars }: BotOptions) {
  const links = createTelegramLinksRepository(db);
  const bot = new Composer<BotContext>();

  const show = async (ctx: BotContext, { userId, offer, text, yes = 'Confirm' }: Card): Promise<void> => {
    const nonce = createToken();
    await links.saveOffer({ userId, offer, nonce, expiresAt: clock.now() + OFFER_LIFETIME_MS });
    const no = 'open' in offer ? 'Cancel' : 'Keep it active';
    await ctx.answer(text, new InlineKeyboard().text(yes, `o:${nonce}:yes`).text(no, `o:${nonce}:no`));
  };

  const linkTo = (callId: string) => new InlineKeyboard().url('Open', `${vars.APP_ORIGIN}/call/${callId}`);

  const run = async (ctx: BotContext, userId: string, offer: Offer): Promise<void> => {
    if ('open' in offer) {
      const made = await calls.create({ userId, body: offer.open, madeOn: 'telegram' });
      return ctx.answer(describeOpened(made), linkTo(made.id));
    }
    await ctx.answer(describeEnded(await calls.end(offer.end)), linkTo(offer.end.id));
  };

  /** Opens or ends a call. If only its price is refused, the caller may confirm a new price. @throws other refusals */
  const confirm = async (ctx: BotContext, userId: string, offer: Offer): Promise<void> => {
    try {
      await whileOpen(String(ctx.chat?.id), () => run(ctx, userId, offer));
    } catch (error) {
      if (hasWayEnded(error)) throw new AppError({ code: 'telegram.not_connected' });
      const refusal = readPriceRefusal(error);
      if ('open' in offer) {
        const open = { ...offer.open, entryPrice: refusal.price };
        const text = `${showToken(open)}: ${refusal.message}`;
        return show(ctx, { userId, offer: { open }, text, yes: 'Call at the new price' });
      }
      const { isOnlyIfCounted = false } = offer.end;
      const end = {
        ...offer.end,
        seenPrice: refusal.price,
        isOnlyIfCounted: isOnlyIfCounted && !refusal.isUncounted,
      };
      const yes = refusal.isUncounted ? 'End anyway' : 'End at the new price';
      await show(ctx, { userId, offer: { end }, text: `${texts.stillActive} ${refusal.message}`, yes });
    }
  };

  bot.chatType('private').callbackQuery(/^o:([\w-]{43}):(yes|no)$/, async (ctx, next) => {
    const [, nonce = '', choice] = ctx.match;
    const taken = await links.takeOffer({ chatId: String(ctx.chat.id), nonce, now: clock.now() });
    if (taken === null) return next();
    ctx.acknowledge();
    const { userId, offer } = taken;
    if (choice === 'yes') await orRefusal(ctx, () => confirm(ctx, userId, offer));
    else await ctx.answer('open' in offer ? texts.cancelled : texts.stillActive);
  });

  return {
    bot,
    linkTo,

    async showToken(ctx: BotContext, userId: string, token: OfferedToken): Promise<void> {
      const { mint: tokenMint, symbol: tokenSymbol, name: tokenName, price: entryPrice } = token;
      const open = { callerId: userId, tokenMint, tokenSymbol, tokenName, entryPrice };
      await show(ctx, { userId, offer: { open }, text: describeToken(token, clock.now()) });
    },

    async showEnd(ctx: BotContext, userId: string, call: TokenCall): Promise<void> {
      const end = { id: call.id, userId, isOnlyIfCounted: true, seenPrice: call.lastPrice?.price };
      await show(ctx, { userId, offer: { end }, text: describeEnding(call, clock.now()) });
    },
  };
}

/** If the site refuses the action, answers with the message that the site would show. */
export async function orRefusal(ctx: BotContext, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await ctx.answer(error.message);
  }
}

function readPriceRefusal(error: unknown) {
  const isUncounted = error instanceof AppError && error.code === 'calls.gain_not_counted';
  const isMoved = error instanceof AppError && error.code === 'calls.price_moved';
  if (!isUncounted && !isMoved) throw error;
  const { message, details } = error;
  return { isUncounted, message, price: String(details['currentPrice'] ?? details['endPrice']) };
}

import { Composer, type MiddlewareFn } from 'grammy';
import { COMMAND_MAX_AGE_MS, TELEGRAM_SETTINGS_PATH } from '#schema/constants/messages.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { describeOnlyCallers } from '#schema/rules/access/telegram-chat-texts.ts';
import { isPosting } from '#schema/rules/access/telegram-chats.ts';
import { readTokenReference } from '#schema/rules/text/token-link.ts';
import type { BotContext } from '../../../adapters/telegram-bot.ts';
import { createTooManyRequestsError } from '../../../app/errors.ts';
import { isolateName } from '../../../shared/plain-text.ts';
import { createChatsRepository } from '../chats/chats.repository.ts';
import type { BotOptions } from './bot-options.ts';
import { createBotTexts } from './bot-text.ts';
import { findNamed, readInactiveName } from './caller-call-names.ts';
import { createCallerCards, orRefusal } from './caller-cards.ts';
import { callerTexts as texts, describeFigures, describeSent, listCalls } from './caller-texts.ts';
import { createTelegramLinksRepository } from './telegram-links.repository.ts';

type Run = (sent: { ctx: BotContext; userId: string; text: string }) => Promise<void>;

/** Commands of callers who have switched on calls from their private chat. */
export function createCallerCommands(options: BotOptions): Composer<BotContext> {
  const { db, env, calls, callUpdates, callers, prices, clock, vars } = options;
  const appOrigin = vars.APP_ORIGIN;
  const settingsUrl = `${appOrigin}${TELEGRAM_SETTINGS_PATH}`;
  const links = createTelegramLinksRepository(db);
  const connected = createChatsRepository(db);
  const { notConnected } = createBotTexts(settingsUrl);
  const cards = createCallerCards(options);
  const bot = new Composer<BotContext>(cards.bot);
  const messages = bot.chatType('private').on('message:text');

  const listActive = async (userId: string): Promise<TokenCall[]> =>
    (await calls.listActive({ callerId: userId, viewerId: userId })).read();

  /** Runs a command. If the site refuses it, answers with the message that the site would show. */
  const forCaller =
    (run: Run): MiddlewareFn<BotContext> =>
    async (ctx, next) => {
      const { date = 0, text = '' } = ctx.msg ?? {};
      const account = await links.findAccount(String(ctx.chatId));
      // A text that is no command gets the list of commands.
      if (account === null) return ctx.match === undefined ? next() : ctx.answer(notConnected);
      if (!account.isCaller) return ctx.answer(describeOnlyCallers(`${appOrigin}/dashboard`));
      if (!account.canCall) return ctx.answer(texts.switchedOff(settingsUrl));
      if (date * SECOND_MS < clock.now() - COMMAND_MAX_AGE_MS) return ctx.answer(texts.late);
      const sent = { ctx, userId: account.userId, text: String(ctx.match ?? text).trim() };
      await orRefusal(ctx, () => run(sent));
    };
  const command = (name: string, run: Run) => messages.command(name, forCaller(run));

  const call: Run = async ({ ctx, userId, text }) => {
    const reference = readTokenReference(text);
    if (reference === null) return ctx.answer(texts.callUsage);
    const { success } = await env.LIMIT_COSTLY.limit({ key: `telegram ${userId}` });
    if (!success) throw createTooManyRequestsError();
    const mint = await prices.findMint(reference, userId);
    if (mint === null) return ctx.answer(texts.tokenNotFound);
    const { price, ...token } = await prices.lookupToken({ mint, viewerId: userId, network: 'telegram' });
    if (price === null) return ctx.answer(texts.noPrice);
    const earlier = await calls.previewOpening({ callerId: userId, mint, symbol: token.symbol });
    await cards.showToken(ctx, userId, { ...token, price, earlier });
  };
  command('call', call);
  messages.filter(({ message }) => readTokenReference(message.text) !== null, forCaller(call));

  command('update', async ({ ctx, userId, text: message }) => {
    if (message === '') return ctx.answer(texts.updateUsage);
    const { rows } = await calls.listAll({ callerId: userId, viewerId: userId });
    const active = rows.filter(({ isActive }) => isActive);
    if (active.length === 0) return ctx.answer(texts.noCalls);
    // Includes ended calls: an update that begins with the name of an ended call isn't sent to the active call.
    const { named, rest } = findNamed(rows, message);
    const inactive = readInactiveName(named, message);
    if (inactive !== null) return ctx.answer(texts.notActive(isolateName(inactive) ?? 'that token'));
    const [only, ...others] = named.length === 0 ? active : named.filter(({ isActive }) => isActive);
    if (only === undefined || others.length > 0) return ctx.answer(texts.whichUpdate);
    if (rest === '') return ctx.answer(texts.emptyUpdate);
    const { recipients } = await callUpdates.send({ userId, body: { callId: only.id, message: rest } });
    const chats = (await connected.findOfCaller(userId)).filter(isPosting);
    await ctx.answer(describeSent(only, { recipients, chats }), cards.linkTo(only.id));
  });

  command('end', async ({ ctx, userId, text: token }) => {
    const active = await listActive(userId);
    if (active.length === 0) return ctx.answer(texts.noCalls);
    const [only, ...others] = token === '' ? active : findNamed(active, token).named;
    if (only === undefined) return ctx.answer(texts.noSuchCall);
    if (others.length > 0) return ctx.answer(texts.whichEnd);
    await cards.showEnd(ctx, userId, only);
  });

  command('calls', async ({ ctx, userId }) => {
    const active = await listActive(userId);
    const shown = { now: clock.now(), link: `${appOrigin}/dashboard` };
    await ctx.answer(active.length === 0 ? texts.noCalls : listCalls(active, shown));
  });

  command('stats', async ({ ctx, userId }) =>
    ctx.answer(describeFigures(await callers.publicProfile(userId), appOrigin)),
  );

  return bot;
}

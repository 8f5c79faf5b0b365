import { COMMAND_MAX_AGE_MS, TELEGRAM_SETTINGS_PATH } from '#schema/constants/messages.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { describeOnlyCallers } from '#schema/rules/access/telegram-chat-texts.ts';
import { isPosting } from '#schema/rules/access/telegram-chats.ts';
import { readTokenReference } from '#schema/rules/text/token-link.ts';
import { AppError, createTooManyRequestsError } from '../../../app/errors.ts';
import type { Chats } from '../../../ports/chats.ts';
import type { PrivateUpdate } from '../../../ports/chat-updates.ts';
import type { Lifetime } from '../../../ports/lifetime.ts';
import type { Reply } from '../../../ports/messenger.ts';
import { isolateName } from '../../../shared/plain-text.ts';
import type { CallersService } from '../../market/callers/callers.service.ts';
import type { CallsService } from '../../market/calls/calls.service.ts';
import type { PricesService } from '../../market/prices/prices.service.ts';
import type { ChatsRepository } from '../chats/chats.repository.ts';
import type { CallUpdatesService } from '../notifications/call-updates.service.ts';
import type { BotRepliesOptions } from './bot-replies.ts';
import { findNamed, readInactiveName } from './caller-call-names.ts';
import { createCallerCards, readAction, type CallerCardsOptions } from './caller-cards.ts';
import { callerTexts as texts, describeFigures, describeSent, listCalls } from './caller-texts.ts';
import type { TelegramLinksRepository } from './telegram-links.repository.ts';

export interface CallerCommandsOptions extends CallerCardsOptions {
  readonly calls: CallerCardsOptions['calls'] &
    Pick<CallsService, 'listActive' | 'listAll' | 'previewOpening'>;
  readonly callUpdates: Pick<CallUpdatesService, 'send'>;
  readonly callersChats: Pick<ChatsRepository, 'findOfCaller'>;
  readonly links: Pick<TelegramLinksRepository, 'findAccount'>;
  readonly callers: Pick<CallersService, 'publicProfile'>;
  readonly prices: Pick<PricesService, 'findMint' | 'lookupToken'>;
  /** Counts a lookup of a token. Returns false for a user who has made too many. */
  readonly takeLookup: (userId: string) => Promise<boolean>;
  readonly chats: Pick<Chats, 'acknowledge'>;
  readonly lifetime: Pick<Lifetime, 'keepAlive'>;
}

type Run = (userId: string, text: string) => Promise<Reply>;
type Sent = PrivateUpdate & { readonly text: string };

export function createCallerCommands(
  options: CallerCommandsOptions,
): Pick<BotRepliesOptions, 'callerCommands' | 'press' | 'readText'> {
  const { calls, callUpdates, links, offers, callers, prices, clock, appOrigin } = options;
  const cards = createCallerCards(options);

  const listActive = async (userId: string): Promise<TokenCall[]> =>
    (await calls.listActive({ callerId: userId, viewerId: userId })).read();

  const call: Run = async (userId, text) => {
    const reference = readTokenReference(text);
    if (reference === null) return { text: texts.callUsage };
    if (!(await options.takeLookup(userId))) throw createTooManyRequestsError();
    const mint = await prices.findMint(reference, userId);
    if (mint === null) return { text: texts.tokenNotFound };
    const { price, ...token } = await prices.lookupToken({ mint, viewerId: userId, network: 'telegram' });
    if (price === null) return { text: texts.noPrice };
    const earlier = await calls.previewOpening({ callerId: userId, mint, symbol: token.symbol });
    return cards.showToken(userId, { ...token, price, earlier });
  };

  const commands: Readonly<Record<string, Run>> = {
    call,
    update: async (userId, message) => {
      if (message === '') return { text: texts.updateUsage };
      const { rows } = await calls.listAll({ callerId: userId, viewerId: userId });
      const active = rows.filter(({ isActive }) => isActive);
      if (active.length === 0) return { text: texts.noCalls };
      // Includes ended calls: an update that begins with the name of an ended call isn't sent to the active call.
      const { named, rest } = findNamed(rows, message);
      const inactive = readInactiveName(named, message);
      if (inactive !== null) return { text: texts.notActive(isolateName(inactive) ?? 'that token') };
      const [only, ...others] = named.length === 0 ? active : named.filter(({ isActive }) => isActive);
      if (only === undefined || others.length > 0) return { text: texts.whichUpdate };
      if (rest === '') return { text: texts.emptyUpdate };
      const { recipients } = await callUpdates.send({ userId, body: { callId: only.id, message: rest } });
      const chats = (await options.callersChats.findOfCaller(userId)).filter(isPosting);
      return cards.withLink(describeSent(only, { recipients, chats }), only.id);
    },
    end: async (userId, token) => {
      const active = await listActive(userId);
      if (active.length === 0) return { text: texts.noCalls };
      const [only, ...others] = token === '' ? active : findNamed(active, token).named;
      if (only === undefined) return { text: texts.noSuchCall };
      return others.length > 0 ? { text: texts.whichEnd } : cards.showEnd(userId, only);
    },
    calls: async (userId) => {
      const active = await listActive(userId);
      if (active.length === 0) return { text: texts.noCalls };
      return { text: listCalls(active, { now: clock.now(), link: `${appOrigin}/dashboard` }) };
    },
    stats: async (userId) => {
      const profile = await callers.publicProfile(userId);
      return { text: describeFigures(profile, appOrigin) };
    },
  };

  /** Runs a command for a caller who has switched calls on. Null in a chat that isn't connected. */
  const runFor = async ({ chatId, text, at }: Sent, run: Run): Promise<Reply | null> => {
    const account = await links.findAccount(chatId);
    if (account === null) return null;
    if (!account.isCaller) return { text: describeOnlyCallers(`${appOrigin}/dashboard`) };
    if (!account.canCall) return { text: texts.switchedOff(`${appOrigin}${TELEGRAM_SETTINGS_PATH}`) };
    if (at < clock.now() - COMMAND_MAX_AGE_MS) return { text: texts.late };
    return orRefusal(() => run(account.userId, text));
  };

  return {
    callerCommands: new Map(
      Object.entries(commands).map(([name, run]) => [name, (sent: Sent) => runFor(sent, run)]),
    ),
    readText: async (sent) => (readTokenReference(sent.text) === null ? null : runFor(sent, call)),

    async press({ chatId, action, buttonId, messageId }) {
      const pressed = readAction(action);
      if (pressed === null) return null;
      const taken = await offers.take({ chatId, nonce: pressed.nonce, now: clock.now() });
      options.lifetime.keepAlive(
        options.chats.acknowledge(buttonId, taken === null ? texts.usedButton : undefined),
      );
      if (taken === null) return null;
      const { userId, offer } = taken;
      const reply = pressed.isYes ? await orRefusal(() => cards.confirm(userId, offer)) : cards.cancel(offer);
      return { ...reply, replaces: messageId };
    },
  };
}

/** If the site refuses the action, replies with the message that the site would show. */
async function orRefusal(run: () => Promise<Reply>): Promise<Reply> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { text: error.message };
  }
}

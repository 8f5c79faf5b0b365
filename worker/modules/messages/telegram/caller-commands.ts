import { COMMAND_MAX_AGE_MS } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { readTokenReference } from '#schema/rules/text/token-link.ts';
import { AppError, createTooManyRequestsError } from '../../../app/errors.ts';
import type { Chats } from '../../../ports/chats.ts';
import type { PrivateUpdate } from '../../../ports/chat-updates.ts';
import type { Lifetime } from '../../../ports/lifetime.ts';
import type { Reply } from '../../../ports/messenger.ts';
import type { CallersService } from '../../market/callers/callers.service.ts';
import type { PricesService } from '../../market/prices/prices.service.ts';
import type { BotRepliesOptions } from './bot-replies.ts';
import { createCallerActions, type CallerActionsOptions } from './caller-actions.ts';
import { createCallerCards, type CallerCardsOptions } from './caller-cards.ts';
import { readAction } from './caller-offers.ts';
import { callerTexts as texts, describeFigures, listCalls } from './caller-texts.ts';
import type { TelegramLinksRepository } from './telegram-links.repository.ts';

export interface CallerCommandsOptions extends CallerCardsOptions, CallerActionsOptions {
  readonly calls: CallerCardsOptions['calls'] & CallerActionsOptions['calls'];
  readonly links: Pick<TelegramLinksRepository, 'findAccount'>;
  readonly callers: Pick<CallersService, 'publicProfile'>;
  readonly prices: Pick<PricesService, 'findMint' | 'lookupToken'>;
  /** Counts a lookup of a token. Returns false for a user who has made too many. */
  readonly takeLookup: (userId: string) => Promise<boolean>;
  readonly chats: Pick<Chats, 'acknowledge'>;
  readonly lifetime: Pick<Lifetime, 'keepAlive'>;
}

/** A caller's command: the user and the text after the command. */
type Run = (userId: string, text: string) => Promise<Reply>;
type Sent = PrivateUpdate & { readonly text: string };

/** The commands and buttons of callers in their private chat. They act through the services of the site. */
export function createCallerCommands(
  options: CallerCommandsOptions,
): Pick<BotRepliesOptions, 'callerCommands' | 'press' | 'readText'> {
  const { links, offers, callers, prices, clock, appOrigin } = options;
  const cards = createCallerCards(options);
  const actions = createCallerActions(cards, options);

  const call: Run = async (userId, text) => {
    const reference = readTokenReference(text);
    if (reference === null) return { text: texts.callUsage };
    if (!(await options.takeLookup(userId))) throw createTooManyRequestsError();
    const mint = await prices.findMint(reference, userId);
    if (mint === null) return { text: texts.tokenNotFound };
    const { price, ...token } = await prices.lookupToken({ mint, viewerId: userId, visitor: userId });
    return price === null ? { text: texts.noPrice } : cards.showToken(userId, { ...token, price });
  };

  const commands: Readonly<Record<string, Run>> = {
    call,
    update: async (userId, message) => {
      if (message === '') return { text: texts.updateUsage };
      const active = await cards.listActive(userId);
      const [only, ...others] = active;
      if (only === undefined) return { text: texts.noCalls };
      if (others.length > 0) return cards.showChoice(userId, active, message);
      return actions.send(userId, { callId: only.id, message });
    },
    end: async (userId, token) => {
      const active = await cards.listActive(userId);
      const found = active.filter(isOn(token));
      const [only, ...others] = found;
      if (only === undefined) return { text: active.length === 0 ? texts.noCalls : texts.noSuchCall };
      return others.length === 0 ? cards.showEnd(userId, only) : cards.showChoice(userId, found, null);
    },
    calls: async (userId) => {
      const active = await cards.listActive(userId);
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
    if (!account.canCall) return { text: texts.switchedOff(`${appOrigin}/dashboard`) };
    if (at < clock.now() - COMMAND_MAX_AGE_MS) return { text: texts.late };
    return orRefusal(() => run(account.userId, text));
  };

  return {
    callerCommands: new Map(
      Object.entries(commands).map(([name, run]) => [name, (sent: Sent) => runFor(sent, run)]),
    ),
    /** A pasted address or link is a /call. */
    readText: async (sent) => (readTokenReference(sent.text) === null ? null : runFor(sent, call)),

    async press({ chatId, action, buttonId, messageId }) {
      const pressed = readAction(action);
      if (pressed === null) return null;
      const taken = await offers.take({ chatId, nonce: pressed.nonce, now: clock.now() });
      options.lifetime.keepAlive(
        options.chats.acknowledge(buttonId, taken === null ? texts.usedButton : undefined),
      );
      if (taken === null) return null;
      return { ...(await orRefusal(() => actions.act(taken, pressed.choice))), replaces: messageId };
    },
  };
}

/** A refusal of the site becomes the bot's reply, in the same words. */
async function orRefusal(run: () => Promise<Reply>): Promise<Reply> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { text: error.message };
  }
}

/** Returns whether a call is on this token, named by mint or symbol. An empty text names every token. */
const isOn = (token: string) => {
  const symbol = token.replace(/^\$/, '').toLowerCase();
  return (call: TokenCall) =>
    token === '' || call.tokenMint === token || call.tokenSymbol.toLowerCase() === symbol;
};

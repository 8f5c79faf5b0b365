import { Composer } from 'grammy';
import {
  COMMAND_MAX_AGE_MS,
  GROUP_COMMAND_LIMIT,
  MEMBER_COMMAND_LIMIT,
  RECAP_LIMIT,
} from '#schema/constants/messages.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import { isListed } from '#schema/rules/people/standing.ts';
import { readTokenReference } from '#schema/rules/text/token-link.ts';
import type { BotContext } from '../../../adapters/telegram-bot.ts';
import type { AttemptLimit } from '../../../shared/attempts.ts';
import { standingOf } from '../../money/callers/caller-standing.ts';
import { createChatsRepository, type ChatRow } from '../chats/chats.repository.ts';
import type { BotOptions } from './bot-options.ts';
import { callerTexts as texts, describeFigures, describeFirst } from './caller-texts.ts';

type Run = (sent: { ctx: BotContext; chat: ChatRow; text: string }) => Promise<void>;

/**
 * The commands that everybody in a connected group may use. They read ended calls only. Other messages, other chats and
 * commands over the limit get no response.
 */
export function createGroupCommands(options: BotOptions): Composer<BotContext> {
  const { db, recaps, callers, tokenCalls, prices, attempts, limited, clock, vars } = options;
  const connected = createChatsRepository(db);
  const bot = new Composer<BotContext>();
  const messages = bot.chatType(['group', 'supergroup']).on('message');

  const isOver = async (person: string, limit: AttemptLimit) =>
    (await attempts.take({ action: 'chat.command', person, limit })) > 0;
  const command = (name: string, run: Run) =>
    messages.command(name, limited, async (ctx) => {
      if (ctx.message.date * SECOND_MS < clock.now() - COMMAND_MAX_AGE_MS) return;
      const chatId = String(ctx.chat.id);
      const chat = await connected.find(chatId);
      if (chat === null || !isListed(standingOf(chat))) return;
      if (await isOver(`${chatId} ${ctx.from.id}`, MEMBER_COMMAND_LIMIT)) return;
      if (await isOver(chatId, GROUP_COMMAND_LIMIT)) return;
      await run({ ctx, chat, text: ctx.match.trim() });
    });

  command('stats', async ({ ctx, chat }) =>
    ctx.answer(describeFigures(await callers.publicProfile(chat.callerId), vars.APP_ORIGIN)),
  );

  command('first', async ({ ctx, chat, text }) => {
    const reference = readTokenReference(text);
    if (reference === null) return ctx.answer(texts.firstUsage);
    const mint = await prices.findMint(reference, `chat ${chat.chatId}`);
    const call = mint === null ? null : await tokenCalls.first(mint);
    if (call === null) return ctx.answer(texts.unknownFirst);
    await ctx.answer(describeFirst(call, `${vars.APP_ORIGIN}/call/${call.id}`));
  });

  command('recap', async ({ ctx, chat, text }) => {
    const days = text.toLowerCase() === 'month' ? 30 : 7;
    // Telegram repeats an update that failed. The image must not be posted twice.
    const person = `${chat.chatId} ${days}`;
    if ((await attempts.take({ action: 'chat.recap', person, limit: RECAP_LIMIT })) > 0) return;
    const inTopic = { ...chat, topicId: ctx.topic?.id ?? null };
    if (!(await recaps.post(inTopic, clock.now(), days))) await ctx.answer(texts.emptyRecap(days));
  });

  return bot;
}

import { Composer, InlineKeyboard } from 'grammy';
import { TELEGRAM_SETTINGS_PATH } from '#schema/constants/messages.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { BotContext } from '../../../adapters/telegram-bot.ts';
import { showChat } from '../../../shared/plain-text.ts';
import { hashToken } from '../../../shared/secrets.ts';
import type { BotOptions } from './bot-options.ts';
import { createBotTexts } from './bot-text.ts';
import { createTelegramLinksRepository } from './telegram-links.repository.ts';

/** Connects a private chat to an account, shows its settings and disconnects it. Other messages get a list of commands. */
export function createAccountCommands(options: BotOptions): Composer<BotContext> {
  const { db, chatAccess, telegramChats, clock, vars } = options;
  const links = createTelegramLinksRepository(db);
  const texts = createBotTexts(`${vars.APP_ORIGIN}${TELEGRAM_SETTINGS_PATH}`);
  const bot = new Composer<BotContext>();
  const inPrivate = bot.chatType('private');
  const messages = inPrivate.on('message');

  const findSettings = (chatId: number) => links.findSettings({ chatId: String(chatId), now: clock.now() });
  const describe = async (chatId: number, unconnected: string): Promise<string> => {
    const settings = await findSettings(chatId);
    return settings === null ? unconnected : texts.status(settings);
  };
  const leave = (chatId: number, date: number) =>
    links.leave({ chatId: String(chatId), until: (date + 1) * SECOND_MS - 1 });

  messages.command('status', async (ctx) => ctx.answer(await describe(ctx.chat.id, texts.notConnected)));

  messages.command('start', async (ctx) => {
    const payload = ctx.match.trim();
    if (payload === '') return ctx.answer(await describe(ctx.chat.id, texts.welcome));
    const now = clock.now();
    const nonceHash = hashToken(payload);
    const { username = null } = ctx.from;
    const bound = await links.bind({ nonceHash, chatId: String(ctx.chat.id), username, now });
    if (bound !== null) {
      chatAccess.checkSoon(bound.userId);
      const chats = await telegramChats.listSomeJoinLinks(bound.userId);
      const rows = chats.map(({ url, ...chat }) => [InlineKeyboard.url(`Join ${showChat(chat)}`, url)]);
      const keyboard = rows.length === 0 ? undefined : InlineKeyboard.from(rows);
      return ctx.answer(texts.connected(bound.account), keyboard);
    }
    if (await links.isValidNonce({ nonceHash, now })) return ctx.answer(texts.otherAccountsChat);
    const settings = await findSettings(ctx.chat.id);
    await ctx.answer(settings === null ? texts.deadLink : texts.connectedBefore(settings.account));
  });

  messages.command('stop', async (ctx) => {
    const account = await leave(ctx.chat.id, ctx.message.date);
    if (account !== null) return ctx.answer(texts.disconnected(account));
    const settings = await findSettings(ctx.chat.id);
    await ctx.answer(settings === null ? texts.nothingToStop : texts.stoppedBefore(settings.account));
  });

  inPrivate.on('my_chat_member', async ({ myChatMember: { chat, date, new_chat_member: own } }) => {
    if (own.status === 'kicked') await leave(chat.id, date);
  });

  messages.on([':text', ':file'], (ctx) => ctx.answer(texts.help));
  return bot;
}

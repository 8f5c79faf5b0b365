import { BotError, type MiddlewareFn } from 'grammy';
import type { Update } from 'grammy/types';
import type { BotContext } from '../../../adapters/telegram-bot.ts';
import type { Base } from '../../../app/base.ts';
import type { CallerGuard } from '../../people/users/caller-guard.ts';
import type { createChatAccess } from '../chats/access.module.ts';
import type { createConnectChats } from '../chats/connect-chats.ts';
import { createAccountCommands } from './account-commands.ts';
import { createCallerCommands, type CallerCommandsOptions } from './caller-commands.ts';
import { createCallerOffersRepository } from './caller-offers.repository.ts';
import { callerTexts } from './caller-texts.ts';
import { createGroupCommands, type GroupCommandsOptions } from './group-commands.ts';
import type { TelegramLinksRepository } from './telegram-links.repository.ts';
import { createTelegramLinksService } from './telegram-links.service.ts';

interface TelegramOptions
  extends
    Pick<CallerCommandsOptions, 'calls' | 'callUpdates' | 'callers' | 'prices' | 'callersChats'>,
    Pick<GroupCommandsOptions, 'tokenCalls' | 'recaps'> {
  readonly links: TelegramLinksRepository;
  readonly callerGuard: CallerGuard;
  readonly connectChats: ReturnType<typeof createConnectChats>;
  readonly access: ReturnType<typeof createChatAccess>;
}

export function createTelegram(base: Base, options: TelegramOptions) {
  const { env, vars, db, bot } = base;
  const { connectChats, access } = options;
  /** Telegram would repeat a refused update, so a chat that sends too many gets no response. */
  const limited: MiddlewareFn<BotContext> = async ({ chatId, from }, next) => {
    const { success } = await env.LIMIT_WRITES.limit({ key: `telegram ${chatId ?? from?.id}` });
    if (success) await next();
  };
  const common = {
    ...base,
    ...options,
    offers: createCallerOffersRepository(db),
    appOrigin: vars.APP_ORIGIN,
    limited,
    takeLookup: async (userId: string) =>
      (await env.LIMIT_COSTLY.limit({ key: `telegram ${userId}` })).success,
    listChats: access.accessLists.listSomeJoinLinks,
    onConnected: access.chatAccess.checkSoon,
  };
  // Only updates that people cause as often as they like. The others must not be lost.
  bot.chatType('private').on('message', limited);
  bot.on('callback_query', limited);
  bot.use(
    connectChats,
    createCallerCommands(common),
    createAccountCommands(common),
    createGroupCommands(common),
    access.memberUpdates,
  );
  bot.on('callback_query', (ctx) => ctx.acknowledge(callerTexts.usedButton));

  return {
    telegramLinks: createTelegramLinksService({
      ...common,
      webhookSecret: vars.TELEGRAM_WEBHOOK_SECRET,
    }),
    /** Handles an update of Telegram. Idempotent, because Telegram repeats an update after an error. */
    async handleTelegramUpdate(update: Update): Promise<void> {
      await bot.handleUpdate(update).catch((error: unknown) => {
        throw error instanceof BotError ? error.error : error;
      });
    },
  };
}

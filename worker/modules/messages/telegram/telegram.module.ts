import { BotError, type MiddlewareFn } from 'grammy';
import type { Update } from 'grammy/types';
import type { BotContext } from '../../../adapters/telegram-bot.ts';
import type { Base } from '../../../app/base.ts';
import type { MessagesWriter } from '../../../ports/outbox.ts';
import type { CallerGuard } from '../../people/users/caller-guard.ts';
import { createAccountCommands } from './account-commands.ts';
import type { BotServices } from './bot-options.ts';
import { createCallerCommands } from './caller-commands.ts';
import { callerTexts } from './caller-texts.ts';
import { createGroupCommands } from './group-commands.ts';
import { createTelegramLinksService } from './telegram-links.service.ts';

interface TelegramOptions extends BotServices {
  readonly callerGuard: CallerGuard;
  readonly messages: MessagesWriter;
}

export function createTelegram(base: Base, options: TelegramOptions) {
  const { env, bot } = base;
  const limited: MiddlewareFn<BotContext> = async ({ chatId, from }, next) => {
    const { success } = await env.LIMIT_WRITES.limit({ key: `telegram ${chatId ?? from?.id}` });
    if (success) await next();
  };
  const common = { ...base, ...options, limited };
  // Only updates that people cause as often as they like. The others must not be lost.
  bot.chatType('private').on('message', limited);
  bot.on('callback_query', limited);
  bot.use(
    options.connectChats,
    createCallerCommands(common),
    createAccountCommands(common),
    createGroupCommands(common),
    options.chatUpdates,
  );
  bot.on('callback_query', (ctx) => ctx.acknowledge(callerTexts.usedButton));

  return {
    telegramLinks: createTelegramLinksService(common),
    /** Handles an update of Telegram. Idempotent, because Telegram repeats an update after an error. */
    async handleTelegramUpdate(update: Update): Promise<void> {
      await bot.handleUpdate(update).catch((error: unknown) => {
        throw error instanceof BotError ? error.error : error;
      });
    },
  };
}

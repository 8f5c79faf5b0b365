import type { MiddlewareFn } from 'grammy';
import type { BotContext } from '../../../adapters/telegram-bot.ts';
import type { Base } from '../../../app/base.ts';
import type { CallersService } from '../../market/callers/callers.service.ts';
import type { CallsService } from '../../market/calls/calls.service.ts';
import type { TokenCallsService } from '../../market/calls/token-calls.service.ts';
import type { PricesService } from '../../market/prices/prices.service.ts';
import type { createChats } from '../chats.module.ts';
import type { CallUpdatesService } from '../notifications/call-updates.service.ts';

/** The services that the bot's commands use. */
export interface BotServices extends ReturnType<typeof createChats> {
  readonly callers: CallersService;
  readonly calls: CallsService;
  readonly callUpdates: CallUpdatesService;
  readonly prices: PricesService;
  readonly tokenCalls: TokenCallsService;
}

export interface BotOptions extends BotServices, Pick<Base, 'db' | 'env' | 'attempts' | 'clock' | 'vars'> {
  /** Ends updates of a chat that sends too many. Telegram would repeat a refused update, so they get no response. */
  readonly limited: MiddlewareFn<BotContext>;
}

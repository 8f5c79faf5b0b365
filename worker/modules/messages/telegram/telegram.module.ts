import type { Base } from '../../../app/base.ts';
import type { CallerGuard } from '../../people/users/caller-guard.ts';
import type { createChatAccess } from '../chats/access.module.ts';
import type { createConnectChats } from '../chats/connect-chats.ts';
import { createCallerCommands, type CallerCommandsOptions } from './caller-commands.ts';
import { createCallerOffersRepository } from './caller-offers.repository.ts';
import { createGroupCommands, type GroupCommandsOptions } from './group-commands.ts';
import type { TelegramLinksRepository } from './telegram-links.repository.ts';
import { createTelegramLinksService } from './telegram-links.service.ts';

interface TelegramOptions
  extends
    Pick<CallerCommandsOptions, 'calls' | 'callUpdates' | 'callers' | 'prices'>,
    Pick<GroupCommandsOptions, 'tokenCalls' | 'recaps'> {
  readonly links: TelegramLinksRepository;
  readonly callersChats: CallerCommandsOptions['callersChats'] & GroupCommandsOptions['callersChats'];
  readonly callerGuard: CallerGuard;
  readonly connectChats: ReturnType<typeof createConnectChats>;
  readonly access: ReturnType<typeof createChatAccess>;
}

export function createTelegram(base: Base, options: TelegramOptions) {
  const { env, vars, db } = base;
  const { links, callerGuard, connectChats, access } = options;
  const common = {
    ...base,
    ...options,
    offers: createCallerOffersRepository(db),
    appOrigin: vars.APP_ORIGIN,
  };
  const { callerCommands, press, readText } = createCallerCommands({
    ...common,
    takeLookup: async (userId) => (await env.LIMIT_COSTLY.limit({ key: `telegram ${userId}` })).success,
  });
  return createTelegramLinksService({
    ...common,
    repository: links,
    callers: callerGuard,
    webhookSecret: vars.TELEGRAM_WEBHOOK_SECRET,
    callerCommands: new Map([...callerCommands, ['connect', connectChats.offerPicker]]),
    press: async (update) => (await connectChats.press(update)) ?? press(update),
    pickChat: connectChats.picked,
    readText,
    listChats: access.accessLists.listSomeJoinLinks,
    onConnected: access.chatAccess.checkSoon,
    chatHandlers: {
      async bot(update) {
        await connectChats.botChanged(update);
        await access.chatAccess.botChanged(update);
      },
      ...access.handlers,
      migrated: connectChats.migrated,
      command: createGroupCommands(common),
    },
  });
}

import type { Base } from '../../../app/base.ts';
import type { CallerGuard } from '../../people/users/caller-guard.ts';
import { createChatsRepository } from '../chats/chats.repository.ts';
import { createCallerCommands, type CallerCommandsOptions } from './caller-commands.ts';
import { createCallerOffersRepository } from './caller-offers.repository.ts';
import { createGroupCommands, type GroupCommandsOptions } from './group-commands.ts';
import { createRecapsRepository } from './recaps.repository.ts';
import { createRecapsService, type RecapsOptions } from './recaps.service.ts';
import { createTelegramCallsService } from './telegram-calls.service.ts';

interface CommandsOptions
  extends
    Pick<CallerCommandsOptions, 'links' | 'calls' | 'callUpdates' | 'callers' | 'prices'>,
    Pick<GroupCommandsOptions, 'tokenCalls'>,
    Pick<RecapsOptions, 'checks' | 'images'> {
  readonly callerGuard: CallerGuard;
}

/** Callers' commands in their private chat with the bot, everybody's in groups, and recaps. */
export function createCommands(base: Base, options: CommandsOptions) {
  const { env, vars, db, clock } = base;
  const appOrigin = vars.APP_ORIGIN;
  const offers = createCallerOffersRepository(db);
  const repository = createRecapsRepository(db);
  const common = { ...base, ...options, appOrigin };
  const recaps = createRecapsService({ ...common, repository, callersChats: createChatsRepository(db) });
  return {
    recaps,
    telegramCalls: createTelegramCallsService({ offers, callers: options.callerGuard, clock }),
    inPrivate: createCallerCommands({
      ...common,
      offers,
      takeLookup: async (userId) => (await env.LIMIT_COSTLY.limit({ key: `telegram ${userId}` })).success,
    }),
    inGroup: createGroupCommands({ ...common, openChats: repository, recaps }),
  };
}

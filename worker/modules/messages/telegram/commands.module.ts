import type { Base } from '../../../app/base.ts';
import { createChatsRepository } from '../chats/chats.repository.ts';
import { createCallerCommands, type CallerCommandsOptions } from './caller-commands.ts';
import { createGroupCommands, type GroupCommandsOptions } from './group-commands.ts';
import { createRecapsRepository } from './recaps.repository.ts';
import { createRecapsService, type RecapsOptions } from './recaps.service.ts';

interface CommandsOptions
  extends
    Pick<CallerCommandsOptions, 'links' | 'offers' | 'calls' | 'callUpdates' | 'callers' | 'prices'>,
    Pick<GroupCommandsOptions, 'tokenCalls'>,
    Pick<RecapsOptions, 'checks' | 'images'> {}

/** Callers' commands in their private chat with the bot, everybody's in groups, and recaps. */
export function createCommands(base: Base, options: CommandsOptions) {
  const { env, vars, db } = base;
  const appOrigin = vars.APP_ORIGIN;
  const repository = createRecapsRepository(db);
  const common = { ...base, ...options, appOrigin, callersChats: createChatsRepository(db) };
  const recaps = createRecapsService({ ...common, repository });
  return {
    recaps,
    inPrivate: createCallerCommands({
      ...common,
      takeLookup: async (userId) => (await env.LIMIT_COSTLY.limit({ key: `telegram ${userId}` })).success,
    }),
    inGroup: createGroupCommands({ ...common, openChats: repository, recaps }),
  };
}

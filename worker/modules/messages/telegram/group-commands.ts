import {
  COMMAND_MAX_AGE_MS,
  GROUP_COMMAND_LIMIT,
  MEMBER_COMMAND_LIMIT,
  RECAP_LIMIT,
} from '#schema/constants/messages.ts';
import { isListed } from '#schema/rules/people/standing.ts';
import { readTokenReference } from '#schema/rules/text/token-link.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ChatHandlers, Reply } from '../../../ports/messenger.ts';
import type { AttemptLimit, Attempts } from '../../../shared/attempts.ts';
import { standingOf } from '../../money/callers/caller-standing.ts';
import type { CallersService } from '../../market/callers/callers.service.ts';
import type { TokenCallsService } from '../../market/calls/token-calls.service.ts';
import type { PricesService } from '../../market/prices/prices.service.ts';
import type { ChatRow, ChatsRepository } from '../chats/chats.repository.ts';
import type { RecapsService } from '../chats/recaps.service.ts';
import { callerTexts as texts, describeFigures, describeFirst } from './caller-texts.ts';

export interface GroupCommandsOptions {
  readonly callersChats: Pick<ChatsRepository, 'find'>;
  readonly recaps: Pick<RecapsService, 'post'>;
  readonly callers: Pick<CallersService, 'publicProfile'>;
  readonly tokenCalls: Pick<TokenCallsService, 'first'>;
  readonly prices: Pick<PricesService, 'findMint'>;
  readonly attempts: Pick<Attempts, 'take'>;
  readonly clock: Clock;
  readonly appOrigin: string;
}

type Run = (chat: ChatRow, text: string) => Promise<Reply | null>;

/**
 * The commands that everybody in a connected group may use. They read ended calls only. Other commands, other chats and
 * commands over the limit get no response.
 */
export function createGroupCommands(options: GroupCommandsOptions): ChatHandlers['command'] {
  const { callersChats, recaps, callers, tokenCalls, prices, attempts, clock, appOrigin } = options;

  const commands = new Map<string, Run>(
    Object.entries<Run>({
      stats: async ({ callerId }) => {
        return { text: describeFigures(await callers.publicProfile(callerId), appOrigin) };
      },

      first: async ({ chatId }, text) => {
        const reference = readTokenReference(text);
        if (reference === null) return { text: texts.firstUsage };
        const mint = await prices.findMint(reference, `chat ${chatId}`);
        const call = mint === null ? null : await tokenCalls.first(mint);
        if (call === null) return { text: texts.unknownFirst };
        return { text: describeFirst(call, `${appOrigin}/call/${call.id}`) };
      },

      recap: async (chat, text) => {
        const days = text.toLowerCase() === 'month' ? 30 : 7;
        // Telegram repeats an update that failed. The image must not be posted twice.
        const person = `${chat.chatId} ${days}`;
        if ((await attempts.take({ action: 'chat.recap', person, limit: RECAP_LIMIT })) > 0) return null;
        return (await recaps.post(chat, clock.now(), days)) ? null : { text: texts.emptyRecap(days) };
      },
    }),
  );

  return async ({ chatId, personId, name, text, at }) => {
    const run = commands.get(name);
    if (run === undefined || at < clock.now() - COMMAND_MAX_AGE_MS) return null;
    const chat = await callersChats.find(chatId);
    if (chat === null || !isListed(standingOf(chat))) return null;
    const isOver = async (person: string, limit: AttemptLimit) =>
      (await attempts.take({ action: 'chat.command', person, limit })) > 0;
    if (await isOver(`${chatId} ${personId}`, MEMBER_COMMAND_LIMIT)) return null;
    return (await isOver(chatId, GROUP_COMMAND_LIMIT)) ? null : run(chat, text);
  };
}

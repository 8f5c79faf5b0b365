import { TELEGRAM_SETTINGS_PATH } from '#schema/constants/messages.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { JoinLink } from '#schema/contracts/telegram-access.ts';
import { showChat } from '../../../shared/plain-text.ts';
import { hashToken } from '../../../shared/secrets.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { PrivateUpdate, PrivateUpdateOf } from '../../../ports/chat-updates.ts';
import type { Reply } from '../../../ports/messenger.ts';
import { createBotTexts } from './bot-text.ts';
import type { TelegramLinksRepository } from './telegram-links.repository.ts';

/** Handles an update from a connected account's chat with the bot. Returns the bot's reply, or null for none. */
export type PrivateHandler<Kind extends PrivateUpdate['kind']> = (
  update: PrivateUpdateOf<Kind>,
) => Promise<Reply | null>;

export interface BotRepliesOptions {
  readonly repository: TelegramLinksRepository;
  readonly callerCommands: ReadonlyMap<string, PrivateHandler<'command'>>;
  readonly press: PrivateHandler<'button'>;
  readonly pickChat: PrivateHandler<'picked_chat'>;
  /** Handles a text that is no command, such as a pasted address. Null: the bot replies with its commands. */
  readonly readText: PrivateHandler<'other'>;
  readonly listChats: (userId: string) => Promise<readonly JoinLink[]>;
  readonly onConnected: (userId: string) => void;
  readonly clock: Clock;
  readonly appOrigin: string;
}

type Command = PrivateUpdateOf<'command'>;

export function createBotReplies(options: BotRepliesOptions) {
  const { repository, callerCommands, press, pickChat, readText, listChats, onConnected, clock, appOrigin } =
    options;
  const texts = createBotTexts(`${appOrigin}${TELEGRAM_SETTINGS_PATH}`);

  const start = async ({ chatId, username, text: payload }: Command): Promise<Reply> => {
    const now = clock.now();
    if (payload === '') return { text: (await describe(chatId)) ?? texts.welcome };
    const nonceHash = await hashToken(payload);
    const bound = await repository.bind({ nonceHash, chatId, username, now });
    if (bound !== null) {
      onConnected(bound.userId);
      const chats = await listChats(bound.userId);
      const buttons = chats.map(({ url, ...chat }) => [{ text: `Join ${showChat(chat)}`, url }]);
      return { text: texts.connected(bound.account), buttons };
    }
    if (await repository.isValidNonce({ nonceHash, now })) return { text: texts.otherAccountsChat };
    const settings = await repository.findSettings({ chatId, now });
    return { text: settings === null ? texts.deadLink : texts.connectedBefore(settings.account) };
  };

  const leave = ({ chatId, at }: PrivateUpdate) => repository.leave({ chatId, until: at + SECOND_MS - 1 });

  const stop = async (update: Command): Promise<string> => {
    const account = await leave(update);
    if (account !== null) return texts.disconnected(account);
    const settings = await repository.findSettings({ chatId: update.chatId, now: clock.now() });
    return settings === null ? texts.nothingToStop : texts.stoppedBefore(settings.account);
  };

  const describe = async (chatId: string): Promise<string | null> => {
    const settings = await repository.findSettings({ chatId, now: clock.now() });
    return settings && texts.status(settings);
  };

  const commands = new Map<string, (update: Command) => Promise<Reply>>([
    ['start', start],
    ['stop', async (update) => ({ text: await stop(update) })],
    ['status', async ({ chatId }) => ({ text: (await describe(chatId)) ?? texts.notConnected })],
  ]);

  return async (update: PrivateUpdate): Promise<Reply | null> => {
    switch (update.kind) {
      case 'command': {
        const handleCaller = callerCommands.get(update.name);
        if (handleCaller) return (await handleCaller(update)) ?? { text: texts.notConnected };
        return (await commands.get(update.name)?.(update)) ?? { text: texts.help };
      }
      case 'blocked':
        await leave(update);
        return null;
      case 'button':
        return press(update);
      case 'picked_chat':
        return pickChat(update);
      case 'other':
        return (await readText(update)) ?? { text: texts.help };
    }
  };
}

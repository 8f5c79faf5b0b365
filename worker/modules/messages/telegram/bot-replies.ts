import { SECOND_MS } from '#schema/constants.ts';
import { hashToken } from '../../../shared/secrets.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ChatEvent, EventOf } from '../../../ports/messenger.ts';
import { createBotTexts } from './bot-text.ts';
import type { TelegramLinksRepository } from './telegram-links.repository.ts';

export interface BotRepliesOptions {
  readonly repository: TelegramLinksRepository;
  readonly clock: Clock;
  readonly appOrigin: string;
}

/** Returns a function that handles an event in a chat and returns the bot's reply, or null for none. */
export function createBotReplies({ repository, clock, appOrigin }: BotRepliesOptions) {
  const texts = createBotTexts(`${appOrigin}/dashboard`);

  /** Connects the chat in which Start was pressed, if its username is the saved one. */
  const start = async ({ chatId, username, payload }: EventOf<'start'>): Promise<string> => {
    const now = clock.now();
    if (payload === '') return (await describe(chatId)) ?? texts.welcome;
    const nonceHash = await hashToken(payload);
    const account = username === null ? null : await repository.bind({ nonceHash, chatId, username, now });
    if (account !== null) return texts.connected(account);
    const handle = await repository.findHandleOfNonce({ nonceHash, now });
    if (handle !== null && username === null) return texts.noUsername;
    if (handle !== null && username !== null) {
      return handle.toLowerCase() === username.toLowerCase()
        ? texts.otherAccountsChat
        : texts.otherUsername(username);
    }
    const settings = await repository.findSettings({ chatId, now });
    return settings === null ? texts.deadLink : texts.connectedBefore(settings.account);
  };

  const leave = ({ chatId, at }: ChatEvent) => repository.leave({ chatId, until: at + SECOND_MS - 1 });

  const stop = async (event: ChatEvent): Promise<string> => {
    const account = await leave(event);
    if (account !== null) return texts.disconnected(account);
    const settings = await repository.findSettings({ chatId: event.chatId, now: clock.now() });
    return settings === null ? texts.nothingToStop : texts.stoppedBefore(settings.account);
  };

  const describe = async (chatId: string): Promise<string | null> => {
    const settings = await repository.findSettings({ chatId, now: clock.now() });
    return settings && texts.status(settings);
  };

  return async (event: ChatEvent): Promise<string | null> => {
    switch (event.kind) {
      case 'start':
        return start(event);
      case 'stop':
        return stop(event);
      case 'status':
        return (await describe(event.chatId)) ?? texts.notConnected;
      case 'blocked':
        await leave(event);
        return null;
      case 'other':
        return texts.help;
    }
  };
}

import { isFreeFee } from '#schema/rules/money/lamports.ts';
import type { ChatUpdateOf } from '../../../ports/chat-updates.ts';
import type { Chats } from '../../../ports/chats.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ChatChecks } from './chat-checks.ts';
import type { ChatTexts } from './chat-texts.ts';
import type { ChatsRepository } from './chats.repository.ts';

export interface ConnectOptions {
  readonly repository: ChatsRepository;
  readonly checks: ChatChecks;
  readonly chats: Pick<Chats, 'find' | 'findMember' | 'post'>;
  /** Finds the account of a person on Telegram. */
  readonly accounts: { findAccount(personId: string): Promise<{ userId: string } | null> };
  readonly clock: Clock;
  readonly texts: ChatTexts;
}

export interface Choice {
  readonly chatId: string;
  /** The person's id on Telegram. */
  readonly personId: string;
  readonly callerId: string;
}

/** Asks callers whether to connect a channel or group, and connects it if they may. */
export function createConnect({ repository, checks, chats, accounts, texts, clock }: ConnectOptions) {
  /** Asks the person who added the bot, in their private chat, if it belongs to a caller. */
  const ask = async ({ chatId, chatKind: kind, title, byId }: ChatUpdateOf<'bot'>): Promise<void> => {
    const account = byId === null ? null : await accounts.findAccount(byId);
    if (byId === null || account === null) return;
    const isOffered = await repository.offer({
      chatId,
      callerId: account.userId,
      kind,
      title,
      now: clock.now(),
    });
    if (!isOffered) return;
    const answer = (text: string, choice: 'yes' | 'no') => ({ text, action: `chat:${choice}:${chatId}` });
    await chats.post({
      chatId: byId,
      text: texts.offer({ kind, title }),
      buttons: [[answer('Yes', 'yes'), answer('No', 'no')]],
      isProtected: false,
    });
  };

  const connect = async ({ chatId, personId, callerId }: Choice): Promise<string> => {
    const facts = await chats.find(chatId);
    if (typeof facts === 'string' || facts.rights === null) return texts.notThere;
    if ((await chats.findMember({ chatId, personId })) !== 'admin') return texts.notAdministrator(facts);
    const { kind, title } = facts;
    const isConnected = await repository.connect({ chatId, callerId, kind, title, now: clock.now() });
    if (isConnected) {
      // Connecting a discussion group solves its channel's problem.
      await checks.checkAllOf(callerId);
      const chat = await repository.find(chatId);
      if (chat !== null && chat.problem !== null) return texts.connectedWithProblem(facts);
      const isPaid = chat !== null && !isFreeFee(chat.feeLamports);
      return texts.connected(facts, isPaid ? chat.joinLink : null);
    }
    const chat = await repository.find(chatId);
    if (chat?.isConnected && chat.callerId !== callerId) return texts.otherCaller(facts);
    const own = await repository.findOfCaller(callerId);
    return own.some((each) => each.isConnected && each.kind === kind)
      ? texts.otherChat(facts)
      : texts.notCaller;
  };

  const choose = async (answer: string, choice: Choice): Promise<string> => {
    const { chatId, callerId } = choice;
    const chat = await repository.find(chatId);
    if (answer === 'yes') return connect(choice);
    if (chat?.callerId !== callerId) return texts.outdated;
    if (answer === 'paid') {
      await repository.change({ chatId, callerId, now: clock.now(), confirmsPaid: true });
      await checks.checkAllOf(callerId);
      return texts.confirmed(chat);
    }
    if (chat.isConnected) return texts.outdated;
    await repository.remove({ chatId, callerId });
    return texts.declined(chat);
  };

  return { ask, connect, choose };
}

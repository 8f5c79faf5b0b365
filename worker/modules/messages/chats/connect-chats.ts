import { MINUTE_MS } from '#schema/constants/time.ts';
import { isFreeFee } from '#schema/rules/money/lamports.ts';
import type { ChatUpdateOf, PrivateUpdateOf } from '../../../ports/chat-updates.ts';
import type { Chats } from '../../../ports/chats.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Reply } from '../../../ports/messenger.ts';
import type { Attempts } from '../../../shared/attempts.ts';
import type { ChatChecks } from './chat-checks.ts';
import { createChatTexts, type ChatTexts } from './chat-texts.ts';
import type { ChatsRepository } from './chats.repository.ts';

export interface ConnectChatsOptions {
  readonly repository: ChatsRepository;
  readonly checks: ChatChecks;
  readonly chats: Pick<Chats, 'find' | 'findManager' | 'post' | 'acknowledge'>;
  readonly accounts: { findAccount(personId: string): Promise<{ userId: string; isCaller: boolean } | null> };
  readonly attempts: Attempts;
  readonly clock: Clock;
  readonly dashboardUrl: string;
}

interface Choice {
  readonly chatId: string;
  readonly personId: string;
  readonly callerId: string;
}

/** Changes of one chat, or of one person's chats, that the bot reacts to at once. The hourly check sees the others. */
const REACTIONS = { burst: 5, everyMs: MINUTE_MS };

const CHAT_ACTION = /^chat:(yes|no|paid):(-\d{1,20})$/;
export const confirmPaidButton = (chatId: string) => ({ text: 'Confirm', action: `chat:paid:${chatId}` });

export function createConnectChats(options: ConnectChatsOptions) {
  const { repository, checks, chats, accounts, attempts, dashboardUrl } = options;
  const texts = createChatTexts(dashboardUrl);
  const isOften = async (chatId: string) =>
    (await attempts.take({ action: 'chats.check', person: chatId, limit: REACTIONS })) > 0;
  const { ask, connect, choose } = createConnect({ ...options, texts, isOften });

  return {
    /** The bot was added to a chat, removed, or got other rights. Foreign chats store nothing. */
    async botChanged(update: ChatUpdateOf<'bot'>): Promise<void> {
      const { chatId, isIn } = update;
      const chat = await repository.find(chatId);
      if (chat === null && isIn) await ask(update);
      if (chat !== null && !(await isOften(chatId))) await checks.check(chat);
    },

    migrated: ({ chatId, newChatId }: ChatUpdateOf<'migrated'>): Promise<void> =>
      repository.migrate({ from: chatId, to: newChatId }),

    async offerPicker({ chatId }: PrivateUpdateOf<'command'>): Promise<Reply> {
      const account = await accounts.findAccount(chatId);
      if (account === null) return { text: texts.notConnected };
      return account.isCaller ? { text: texts.pick, picksChat: true } : { text: texts.notCaller };
    },

    async picked({ chatId: personId, pickedId }: PrivateUpdateOf<'picked_chat'>): Promise<Reply> {
      const account = await accounts.findAccount(personId);
      if (account === null) return { text: texts.notConnected, picksChat: false };
      const text = await connect({ chatId: pickedId, personId, callerId: account.userId });
      return { text, picksChat: false };
    },

    async press(update: PrivateUpdateOf<'button'>): Promise<Reply | null> {
      const { action, buttonId, messageId, chatId: personId } = update;
      const [, answer = '', chatId = ''] = CHAT_ACTION.exec(action) ?? [];
      if (chatId === '') return null;
      const account = await accounts.findAccount(personId);
      const text =
        account === null
          ? texts.notConnected
          : await choose(answer, { chatId, personId, callerId: account.userId });
      await chats.acknowledge(buttonId);
      return { text, replaces: messageId };
    },
  };
}

interface ConnectOptions extends ConnectChatsOptions {
  readonly texts: ChatTexts;
  readonly isOften: (chatId: string) => Promise<boolean>;
}

function createConnect({ texts, isOften, ...options }: ConnectOptions) {
  const { repository, checks, chats, accounts, clock } = options;
  /** Asks a caller who added the bot whether to connect the chat, or says what to do first. */
  const ask = async ({ chatId, chatKind: kind, title, byId, rights }: ChatUpdateOf<'bot'>): Promise<void> => {
    const account = byId === null ? null : await accounts.findAccount(byId);
    if (byId === null || !account?.isCaller || (await isOften(byId))) return;
    const answer = (text: string, choice: 'yes' | 'no') => ({ text, action: `chat:${choice}:${chatId}` });
    const isAdmin = rights !== null;
    await chats.post({
      chatId: byId,
      text: isAdmin ? texts.offer({ kind, title }) : texts.needsRights({ kind, title }),
      buttons: isAdmin ? [[answer('Yes', 'yes'), answer('No', 'no')]] : [],
      isProtected: false,
    });
  };

  const connect = async ({ chatId, personId, callerId }: Choice): Promise<string> => {
    const facts = await chats.find(chatId);
    if (typeof facts === 'string' || facts.rights === null) return texts.notThere;
    const { kind, title } = facts;
    const manager = await chats.findManager({ chatId, personId, kind });
    if (manager === null) return texts.notManager(facts);
    const isOwner = manager === 'owner';
    const isConnected = await repository.connect({
      chatId,
      callerId,
      kind,
      title,
      isOwner,
      now: clock.now(),
    });
    if (isConnected) {
      // Connecting a discussion group solves its channel's problem.
      await checks.checkAllOf(callerId);
      const chat = await repository.find(chatId);
      if (chat !== null && chat.problem !== null) return texts.connectedWithProblem(facts);
      const isPaid = chat !== null && !isFreeFee(chat.feeLamports);
      return texts.connected(facts, isPaid ? chat.joinLink : null);
    }
    const chat = await repository.find(chatId);
    if (chat !== null && chat.callerId !== callerId) return texts.otherCaller(facts);
    const own = await repository.findOfCaller(callerId);
    return own.some((each) => each.kind === kind) ? texts.otherChat(facts) : texts.notCaller;
  };

  const choose = async (answer: string, choice: Choice): Promise<string> => {
    const { chatId, callerId } = choice;
    const chat = await repository.find(chatId);
    if (answer === 'yes') return connect(choice);
    if (answer === 'no' && chat === null) return texts.declined;
    if (answer === 'no' || chat?.callerId !== callerId) return texts.outdated;
    await repository.change({ chatId, callerId, now: clock.now(), confirmsPaid: true });
    await checks.checkAllOf(callerId);
    return texts.confirmed(chat);
  };

  return { ask, connect, choose };
}

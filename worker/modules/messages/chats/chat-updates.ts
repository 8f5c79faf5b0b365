import { Composer } from 'grammy';
import type { Chat, User } from 'grammy/types';
import { SECOND_MS } from '#schema/constants/time.ts';
import { CHAT_REACTIONS } from '#schema/constants/messages.ts';
import { rightsOf, roleOf } from '#schema/rules/access/telegram-members.ts';
import type { BotContext } from '../../../adapters/telegram-bot.ts';
import type { Base } from '../../../app/base.ts';
import type { NamedChat } from '../../../shared/plain-text.ts';
import { createTelegramLinksRepository } from '../telegram/telegram-links.repository.ts';
import { createAccessRepository, type MemberChange } from './access.repository.ts';
import type { AccessService } from './access.service.ts';
import type { ChatChecks } from './chat-checks.ts';
import { createChatTexts } from './chat-texts.ts';
import { createChatsRepository } from './chats.repository.ts';
import { chatButton } from './connect-chats.ts';

interface ChatUpdatesOptions extends Pick<Base, 'db' | 'messenger' | 'attempts' | 'vars'> {
  readonly checks: ChatChecks;
  readonly access: AccessService;
}

interface AddedTo extends NamedChat {
  readonly chatId: string;
  readonly isAdmin: boolean;
}

const changeOf = (chat: Chat, person: User, date: number): MemberChange => ({
  chatId: String(chat.id),
  person: { id: String(person.id), name: `${person.first_name} ${person.last_name ?? ''}`.trim() },
  at: date * SECOND_MS,
});

/** Handles what Telegram says about channels and groups: the bot's rights, their members and their new ids. */
export function createChatUpdates(options: ChatUpdatesOptions): Composer<BotContext> {
  const { db, checks, access, messenger, attempts, vars } = options;
  const repository = createChatsRepository(db);
  const members = createAccessRepository(db);
  const { findAccount } = createTelegramLinksRepository(db);
  const texts = createChatTexts(vars.APP_ORIGIN);
  const bot = new Composer<BotContext>();
  const isOften = async (id: string) =>
    (await attempts.take({ action: 'chats.check', person: id, limit: CHAT_REACTIONS })) > 0;

  bot.on('chat_member', async ({ chat, chatMember, me }) => {
    const { date, old_chat_member: before, new_chat_member: member } = chatMember;
    if (member.user.is_bot) return;
    const change = changeOf(chat, member.user, date);
    const status = roleOf(member);
    const wasOut = roleOf(before) === 'out';
    const isRemoved = !wasOut && chatMember.from.id === me.id;
    if (status === 'out') await members.noteLeft({ ...change, isRemoved });
    else await members.noteMember({ ...change, status, isNew: wasOut });
  });

  bot.on('chat_join_request', ({ chat, from, chatJoinRequest }) =>
    access.request({
      ...changeOf(chat, from, chatJoinRequest.date),
      contactId: String(chatJoinRequest.user_chat_id ?? from.id),
    }),
  );

  bot.on('message:migrate_to_chat_id', ({ chat, message }) =>
    repository.migrate({ from: String(chat.id), to: String(message.migrate_to_chat_id) }),
  );

  bot.on('message:forum_topic_reopened', async (ctx) => {
    const chatId = String(ctx.chat.id);
    await repository.changeTopic({ chatId, topicId: ctx.topic?.id ?? null, topicProblem: null });
    const chat = await repository.find(chatId);
    if (chat !== null && !(await isOften(chatId))) await checks.check(chat);
  });

  /** Asks a caller who added the bot whether to connect the chat, or says what to do first. Stores nothing. */
  const ask = async (personId: string, { chatId, isAdmin, ...chat }: AddedTo): Promise<void> => {
    const account = await findAccount(personId);
    if (!account?.isCaller || (await isOften(personId))) return;
    const text = isAdmin ? texts.offer(chat) : texts.needsRights(chat);
    const buttons = [chatButton('Yes', 'yes', chatId), chatButton('No', 'no', chatId)];
    await messenger.send({ chatId: personId, text, buttons: isAdmin ? buttons : [] });
  };

  bot.chatType(['channel', 'group', 'supergroup']).on('my_chat_member', async (ctx) => {
    const { from, date, new_chat_member: own } = ctx.myChatMember;
    const { title, type } = ctx.chat;
    const chatId = String(ctx.chat.id);
    const kind = type === 'channel' ? 'channel' : 'group';
    const isAdmin = rightsOf(own, kind === 'channel') !== null;
    const chat = await repository.find(chatId);
    if (chat === null) {
      if (roleOf(own) !== 'out') await ask(String(from.id), { chatId, kind, title, isAdmin });
      return;
    }
    if (!(await isOften(chatId))) await checks.check(chat);
    await repository.noteRights({ chatId, isAdmin, at: date * SECOND_MS });
  });

  return bot;
}

import { Composer } from 'grammy';
import type { Chat, User } from 'grammy/types';
import { SECOND_MS } from '#schema/constants/time.ts';
import { rightsOf, roleOf } from '#schema/rules/access/telegram-members.ts';
import type { BotContext } from '../../../adapters/telegram-bot.ts';
import type { Base } from '../../../app/base.ts';
import { createAccessRepository, type MemberChange } from './access.repository.ts';
import type { AccessService } from './access.service.ts';

interface MemberUpdatesOptions extends Pick<Base, 'db' | 'clock'> {
  readonly access: AccessService;
}

const changeOf = (chat: Chat, person: User, date: number): MemberChange => ({
  chatId: String(chat.id),
  person: { id: String(person.id), name: `${person.first_name} ${person.last_name ?? ''}`.trim() },
  at: date * SECOND_MS,
});

/** Notes what Telegram says about the members of connected channels and groups. */
export function createMemberUpdates({ db, access, clock }: MemberUpdatesOptions): Composer<BotContext> {
  const repository = createAccessRepository(db);
  const bot = new Composer<BotContext>();

  bot.on('chat_member', async ({ chat, chatMember }) => {
    const { date, old_chat_member: before, new_chat_member: member } = chatMember;
    if (member.user.is_bot) return;
    const change = changeOf(chat, member.user, date);
    const status = roleOf(member);
    if (status === 'out') await repository.noteLeft(change);
    else await repository.noteMember({ ...change, status, isNew: roleOf(before) === 'out' });
  });

  bot.on('chat_join_request', ({ chat, from, chatJoinRequest }) =>
    access.request(changeOf(chat, from, chatJoinRequest.date)),
  );

  bot.chatType(['channel', 'group', 'supergroup']).on('my_chat_member', async ({ chat, myChatMember }) => {
    const isAdmin = rightsOf(myChatMember.new_chat_member, chat.type === 'channel') !== null;
    if (isAdmin) await repository.retry({ chatId: String(chat.id), now: clock.now() });
    else await repository.doubtMembers(String(chat.id));
  });

  return bot;
}

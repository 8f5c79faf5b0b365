import { Composer, Keyboard } from 'grammy';
import type { ChatAdministratorRights } from 'grammy/types';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { rightsOf, roleOf } from '#schema/rules/access/telegram-members.ts';
import { isFreeFee } from '#schema/rules/money/lamports.ts';
import type { BotContext } from '../../../adapters/telegram-bot.ts';
import type { Base } from '../../../app/base.ts';
import type { NamedChat } from '../../../shared/plain-text.ts';
import type { ChatChecks } from './chat-checks.ts';
import { createChatTexts, type ChatTexts } from './chat-texts.ts';
import { createTelegramLinksRepository } from '../telegram/telegram-links.repository.ts';
import { createChatsRepository, type ChatsRepository } from './chats.repository.ts';

export interface ConnectChatsOptions extends Pick<Base, 'db' | 'chats' | 'attempts' | 'clock' | 'vars'> {
  readonly checks: ChatChecks;
}

interface Choice {
  readonly chatId: string;
  readonly personId: string;
  readonly callerId: string;
}

interface AddedTo extends NamedChat {
  readonly chatId: string;
  readonly isAdmin: boolean;
}

/** Returns the text that says what happened. */
type Decide = (choice: Choice) => Promise<string>;

/** Changes of one chat, or of one person's chats, that the bot reacts to at once. The hourly check sees the others. */
const REACTIONS = { burst: 5, everyMs: MINUTE_MS };
/** Anonymous administrators act as this bot. */
const ANONYMOUS_ADMINISTRATOR = 1_087_968_824;

export const confirmPaidButton = (chatId: string) => ({ text: 'Confirm', action: `chat:paid:${chatId}` });

const rightsIn = (isChannel: boolean): ChatAdministratorRights => ({
  is_anonymous: false,
  can_manage_chat: true,
  can_delete_messages: false,
  can_manage_video_chats: false,
  can_promote_members: false,
  can_send_welcome_messages: false,
  can_change_info: false,
  can_post_stories: false,
  can_edit_stories: false,
  can_delete_stories: false,
  can_invite_users: true,
  can_restrict_members: true,
  ...(isChannel && { can_post_messages: true }),
});
const pickable = (isChannel: boolean) => ({
  chat_is_channel: isChannel,
  user_administrator_rights: rightsIn(isChannel),
  bot_administrator_rights: rightsIn(isChannel),
});
/**
 * Buttons with which an administrator shares a channel or group. Telegram first adds the bot with these rights if it isn't
 * there yet.
 */
const CHAT_PICKER = new Keyboard()
  .requestChat('Choose a channel', 1, pickable(true))
  .requestChat('Choose a group', 2, pickable(false))
  .resized()
  .oneTime();

/** Connects callers' channels and groups, and reacts to changes of the bot's rights there. */
export function createConnectChats(options: ConnectChatsOptions): Composer<BotContext> {
  const { db, checks, chats, attempts, clock, vars } = options;
  const repository = createChatsRepository(db);
  const { findAccount } = createTelegramLinksRepository(db);
  const texts = createChatTexts(vars.APP_ORIGIN);
  const connect = createConnect({ ...options, repository, texts });
  const bot = new Composer<BotContext>();
  const inPrivate = bot.chatType('private');
  const isOften = async (id: string) =>
    (await attempts.take({ action: 'chats.check', person: id, limit: REACTIONS })) > 0;

  /** Lets the account of a private chat decide about a chat. */
  const decide = async (personId: string, chatId: string, run: Decide): Promise<string> => {
    const account = await findAccount(personId);
    return account === null ? texts.notConnected : run({ chatId, personId, callerId: account.userId });
  };

  inPrivate.on('message').command('connect', async (ctx) => {
    const account = await findAccount(String(ctx.chat.id));
    if (account === null) return ctx.answer(texts.notConnected);
    if (!account.isCaller) return ctx.answer(texts.notCaller);
    await ctx.answer(texts.pick, CHAT_PICKER);
  });

  inPrivate.on('message:chat_shared', async (ctx) => {
    const chatId = String(ctx.message.chat_shared.chat_id);
    const text = await decide(String(ctx.chat.id), chatId, connect);
    await ctx.answer(text, { remove_keyboard: true });
  });

  const button = (name: string, run: Decide) =>
    inPrivate.callbackQuery(new RegExp(`^chat:${name}:(-\\d{1,20})$`), async (ctx) => {
      ctx.acknowledge();
      const [, chatId = ''] = ctx.match;
      await ctx.answer(await decide(String(ctx.chat.id), chatId, run));
    });

  button('yes', connect);

  button('no', async ({ chatId }) =>
    (await repository.find(chatId)) === null ? texts.declined : texts.outdated,
  );

  button('paid', async ({ chatId, callerId }) => {
    const chat = await repository.find(chatId);
    if (chat?.callerId !== callerId) return texts.outdated;
    await repository.change({ chatId, callerId, now: clock.now(), confirmsPaid: true });
    await checks.checkAllOf(callerId);
    return texts.confirmed(chat);
  });

  /** Asks a caller who added the bot whether to connect the chat, or says what to do first. */
  const ask = async (personId: string, { chatId, isAdmin, ...chat }: AddedTo): Promise<void> => {
    const account = await findAccount(personId);
    if (!account?.isCaller || (await isOften(personId))) return;
    const answer = (text: string, choice: 'yes' | 'no') => ({ text, action: `chat:${choice}:${chatId}` });
    await chats.post({
      chatId: personId,
      text: isAdmin ? texts.offer(chat) : texts.needsRights(chat),
      buttons: isAdmin ? [[answer('Yes', 'yes'), answer('No', 'no')]] : [],
      isProtected: false,
    });
  };

  // The bot was added to a chat, removed, or got other rights. Foreign chats store nothing.
  bot.chatType(['channel', 'group', 'supergroup']).on('my_chat_member', async (ctx, next) => {
    const { from, new_chat_member: own } = ctx.myChatMember;
    const { title, type } = ctx.chat;
    const kind = type === 'channel' ? 'channel' : 'group';
    const chatId = String(ctx.chat.id);
    const chat = await repository.find(chatId);
    if (chat !== null && !(await isOften(chatId))) await checks.check(chat);
    if (chat === null && roleOf(own) !== 'out' && from.id !== ANONYMOUS_ADMINISTRATOR) {
      const isAdmin = rightsOf(own, kind === 'channel') !== null;
      await ask(String(from.id), { chatId, kind, title, isAdmin });
    }
    await next();
  });

  bot.on('message:migrate_to_chat_id', ({ chat, message }) =>
    repository.migrate({ from: String(chat.id), to: String(message.migrate_to_chat_id) }),
  );

  return bot;
}

interface ConnectOptions extends ConnectChatsOptions {
  readonly repository: ChatsRepository;
  readonly texts: ChatTexts;
}

function createConnect({ repository, checks, chats, clock, texts }: ConnectOptions): Decide {
  return async ({ chatId, personId, callerId }) => {
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
    // Connecting a discussion group solves its channel's problem.
    if (isConnected) await checks.checkAllOf(callerId);
    const chat = await repository.find(chatId);
    if (isConnected) {
      if (chat !== null && chat.problem !== null) return texts.connectedWithProblem(facts);
      const isPaid = chat !== null && !isFreeFee(chat.feeLamports);
      return texts.connected(facts, isPaid ? chat.joinLink : null);
    }
    if (chat !== null && chat.callerId !== callerId) return texts.otherCaller(facts);
    const own = await repository.findOfCaller(callerId);
    return own.some((each) => each.kind === kind) ? texts.otherChat(facts) : texts.notCaller;
  };
}

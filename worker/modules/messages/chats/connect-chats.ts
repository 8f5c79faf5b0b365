import { Composer, Keyboard } from 'grammy';
import type { ChatAdministratorRights } from 'grammy/types';
import { CHAT_REACTIONS } from '#schema/constants/messages.ts';
import { isFreeFee } from '#schema/rules/money/lamports.ts';
import type { BotContext, Topic } from '../../../adapters/telegram-bot.ts';
import type { Base } from '../../../app/base.ts';
import { createTelegramLinksRepository } from '../telegram/telegram-links.repository.ts';
import type { ChatChecks } from './chat-checks.ts';
import { createChatTexts } from './chat-texts.ts';
import { createChatsRepository } from './chats.repository.ts';

interface ConnectChatsOptions extends Pick<Base, 'db' | 'chats' | 'attempts' | 'clock' | 'vars'> {
  readonly checks: ChatChecks;
}

interface Choice {
  readonly chatId: string;
  readonly personId: string;
  readonly callerId: string;
  /** The topic in which the person has sent /connect; null for General. */
  readonly topic?: Topic | null;
}

/** Returns the text that says what happened. */
type Decide = (choice: Choice) => Promise<string>;

type ChatChoice = 'yes' | 'no' | 'paid';

/** A button about a chat. It works as long as its answer makes sense, because pressing it again changes nothing. */
export const chatButton = (text: string, choice: ChatChoice, chatId: string) => ({
  text,
  action: `chat:${choice}:${chatId}`,
});

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

/** Connects callers' channels and groups, from their private chats with the bot. */
export function createConnectChats(options: ConnectChatsOptions): Composer<BotContext> {
  const { db, checks, chats, attempts, clock, vars } = options;
  const repository = createChatsRepository(db);
  const { findAccount } = createTelegramLinksRepository(db);
  const texts = createChatTexts(vars.APP_ORIGIN);
  const bot = new Composer<BotContext>();
  const inPrivate = bot.chatType('private');

  /** Lets the account of a private chat decide about a chat. */
  const decide = async (ctx: BotContext, chatId: string, run: Decide): Promise<string> => {
    const personId = String(ctx.chatId);
    const account = await findAccount(personId);
    return account === null ? texts.notConnected : run({ chatId, personId, callerId: account.userId });
  };

  const connect: Decide = async (choice) => {
    const { chatId, personId, callerId } = choice;
    const facts = await chats.find(chatId);
    if (typeof facts === 'string' || facts.rights === null) return texts.notThere;
    const { kind, title } = facts;
    const manager = await chats.findManager({ chatId, personId, kind });
    if (manager === null) return texts.notManager(facts);
    const isOwner = manager === 'owner';
    const isConnected = await repository.connect({ ...choice, kind, title, isOwner, now: clock.now() });
    // Connecting a discussion group solves its channel's problem.
    if (isConnected) await checks.checkAllOf(callerId);
    const chat = await repository.find(chatId);
    if (isConnected) {
      if (chat !== null && chat.problem !== null) return texts.connectedWithProblem(facts);
      const isPaid = chat !== null && !isFreeFee(chat.feeLamports);
      const place = { ...facts, topicName: chat?.topicName ?? null };
      return texts.connected(place, isPaid ? chat.joinLink : null);
    }
    if (chat !== null && chat.callerId !== callerId) return texts.otherCaller(facts);
    const own = await repository.findOfCaller(callerId);
    return own.some((each) => each.kind === kind) ? texts.otherChat(facts) : texts.notCaller;
  };

  inPrivate.on('message').command('connect', async (ctx) => {
    const account = await findAccount(String(ctx.chat.id));
    if (account === null) return ctx.answer(texts.notConnected);
    if (!account.isCaller) return ctx.answer(texts.notCaller);
    await ctx.answer(texts.pick, CHAT_PICKER);
  });

  bot
    .chatType(['group', 'supergroup'])
    .on('message')
    .command('connect', async (ctx) => {
      const personId = String(ctx.from.id);
      const account = await findAccount(personId);
      if (!account?.isCaller) return;
      const attempt = { action: 'chats.connect', person: personId, limit: CHAT_REACTIONS };
      if ((await attempts.take(attempt)) > 0) return;
      const chatId = String(ctx.chat.id);
      await ctx.answer(await connect({ chatId, personId, callerId: account.userId, topic: ctx.topic }));
    });

  inPrivate.on('message:chat_shared', async (ctx) => {
    const chatId = String(ctx.message.chat_shared.chat_id);
    await ctx.answer(await decide(ctx, chatId, connect), { remove_keyboard: true });
  });

  const button = (name: ChatChoice, run: Decide) =>
    inPrivate.callbackQuery(new RegExp(`^chat:${name}:(-\\d{1,20})$`), async (ctx) => {
      ctx.acknowledge();
      const [, chatId = ''] = ctx.match;
      await ctx.answer(await decide(ctx, chatId, run));
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

  return bot;
}

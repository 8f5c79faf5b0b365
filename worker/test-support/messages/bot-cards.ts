import type { TestApp } from '../test-app.ts';
import { takeReply, textUpdate } from './telegram.ts';

interface TelegramButton {
  readonly text: string;
  readonly url?: string;
  readonly callback_data?: string;
}

/** The bot's reply to an update. */
export interface BotReply {
  readonly text: string;
  /** All rows together. */
  readonly buttons: readonly TelegramButton[];
  /** The message that the reply replaces; null for a new one. */
  readonly replaces: number | null;
}

/** Posts an update and takes the bot's reply. Null without one. */
export async function postToBot(app: TestApp, update: unknown): Promise<BotReply | null> {
  const body = await takeReply(app, update);
  return (
    body && {
      text: body.text,
      buttons: body.reply_markup?.inline_keyboard?.flat() ?? [],
      replaces: body.message_id ?? null,
    }
  );
}

/** The update that Telegram posts for a pressed button. */
export function pressUpdate({ chatId, action }: { chatId: number; action: string }) {
  const bot = { id: 1, is_bot: true, first_name: 'Bot' };
  return {
    update_id: 840_000_003,
    callback_query: {
      id: '77',
      from: { id: chatId, is_bot: false, first_name: 'Tele' },
      message: { message_id: 5, date: 1, from: bot, chat: { id: chatId, type: 'private' }, text: 'Card' },
      data: action,
    },
  };
}

/** A private chat with the bot. Messages are sent now, unless `at` says otherwise. */
export function openBotChat(app: TestApp, chatId: number) {
  return {
    send: async (text: string, at = app.clock.now()): Promise<BotReply> =>
      (await postToBot(app, textUpdate({ chatId, text, at }))) ?? { text: '', buttons: [], replaces: null },
    /** Presses the button with this label on the bot's last reply. */
    press: (card: BotReply, label: string): Promise<BotReply | null> => {
      const action = card.buttons.find(({ text }) => text.includes(label))?.callback_data;
      if (action === undefined) throw new Error(`No button ${label}: ${JSON.stringify(card)}`);
      return postToBot(app, pressUpdate({ chatId, action }));
    },
  };
}

import { badRequest, UserError } from '../bot-error.ts';
import { isTrue, readText, type Parameters } from './chat-access.ts';
import type { Descriptions } from '../describe.ts';
import type { Message } from '../telegram-state.ts';
import type { TelegramStore } from '../telegram-store.ts';

/** Telegram doesn't document how long the app waits. Bots saw errors after 20 seconds. */
const ANSWER_SECONDS = 15;
const MAX_ANSWER_LENGTH = 200;
const MOST_REMEMBERED = 500;
const FIRST_QUERY_ID = 4_400_000_000_000_000n;

export type CallbackQueries = ReturnType<typeof createCallbackQueries>;

/** Presses of buttons with callback data, and the bot's responses to them. */
export function createCallbackQueries({ store, describe }: { store: TelegramStore; describe: Descriptions }) {
  const { state } = store;
  return {
    /** Presses the button with this data or text. Returns the id of the query. */
    press({ userId, message, button }: { userId: number; message: Message; button: string }): string {
      const buttons = message.keyboard.flat().filter(({ data }) => data !== undefined);
      const pressed =
        buttons.find(({ data }) => data === button) ?? buttons.find(({ text }) => text === button);
      if (pressed === undefined) throw new UserError(`The message has no button "${button}".`);
      const id = String(FIRST_QUERY_ID + BigInt(state.nextUpdateId));
      const query = { id, userId, chatId: message.chatId, at: store.now(), answer: null };
      state.callbackQueries = [...state.callbackQueries.slice(1 - MOST_REMEMBERED), query];
      store.addUpdate('callback_query', {
        id,
        from: describe.user(userId),
        message: describe.message(message),
        chat_instance: String(7_000_000_000 + Math.abs(message.chatId)),
        data: pressed.data,
      });
      return id;
    },
    /** The newest response to this user's presses in a chat. */
    lastAnswer: (chatId: number, userId: number) =>
      state.callbackQueries.findLast((query) => query.chatId === chatId && query.userId === userId)?.answer ??
      null,
    methods: {
      answercallbackquery: (parameters: Parameters) => {
        const id = readText(parameters['callback_query_id']);
        const query = state.callbackQueries.find((each) => each.id === id);
        const isLate = query !== undefined && query.at <= store.now() - ANSWER_SECONDS * 1000;
        if (query === undefined || isLate || query.answer !== null) {
          throw badRequest('query is too old and response timeout expired or query ID is invalid');
        }
        const text = readText(parameters['text']);
        if (text.length > MAX_ANSWER_LENGTH) throw badRequest('MESSAGE_TOO_LONG');
        query.answer = { text, showAlert: isTrue(parameters['show_alert']) };
        store.saveSoon();
        return true;
      },
    },
  };
}

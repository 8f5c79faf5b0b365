import { openTelegramState, type Chat, type ChatMessage } from './chat-state.ts';

/** Larger than 32 bits, like the chat ids of recent Telegram accounts. */
const FIRST_CHAT_ID = 5_600_000_001;

export type ChatStore = ReturnType<typeof openChatStore>;

/** @param options.now unix ms */
export function openChatStore({ file, now }: { file: string; now: () => number }) {
  const stored = openTelegramState(file);
  const state = stored.value;
  const findByHandle = (handle: string) => {
    const wanted = plainHandle(handle).toLowerCase();
    return state.chats.find((chat) => chat.handle.toLowerCase() === wanted);
  };

  function open(typedHandle: string): Chat {
    const known = findByHandle(typedHandle);
    if (known !== undefined) return known;
    const handle = plainHandle(typedHandle);
    const chat: Chat = {
      id: FIRST_CHAT_ID + state.chats.length,
      handle,
      firstName: handle.split('_')[0] ?? handle,
      isBlocked: false,
    };
    state.chats.push(chat);
    return chat;
  }

  return {
    state,
    saveSoon: stored.saveSoon,
    flush: stored.flush,
    find: (chatId: number) => state.chats.find(({ id }) => id === chatId),
    findByHandle,
    /** Finds or creates the chat with a handle. */
    open,
    /** Queues an update for the webhook and returns it with its id. */
    addUpdate(update: Record<string, unknown>) {
      const numbered = { update_id: state.nextUpdateId, ...update };
      state.nextUpdateId += 1;
      state.pending.push(numbered);
      stored.saveSoon();
      return numbered;
    },
    addMessage(message: Omit<ChatMessage, 'messageId' | 'date'>) {
      const added = { ...message, messageId: state.nextMessageId, date: Math.floor(now() / 1000) };
      state.nextMessageId += 1;
      state.messages.push(added);
      stored.saveSoon();
      return added;
    },
    messagesOf: (chatId: number) => state.messages.filter((message) => message.chatId === chatId),
  };
}

function plainHandle(handle: string): string {
  return handle.trim().replace(/^@/, '');
}

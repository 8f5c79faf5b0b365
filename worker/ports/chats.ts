import type { ChatFacts, ChatKind, Found } from '#schema/rules/access/telegram-chats.ts';
import type { ChatButton, SendResult } from './messenger.ts';

export interface NamedChatFacts extends ChatFacts {
  readonly kind: ChatKind;
  readonly title: string;
}

export interface ChatPost {
  readonly chatId: string;
  /** Plain text of at most `TELEGRAM_MESSAGE_MAX_LENGTH` UTF-16 units. */
  readonly text: string;
  readonly buttons: readonly (readonly ChatButton[])[];
  /** Members can't forward or save the message. */
  readonly isProtected: boolean;
}

/** `message_gone`: somebody has deleted the message. `moved`: the chat has another id now. */
export type PostResult =
  | Exclude<SendResult, { status: 'sent' }>
  | { readonly status: 'sent'; readonly messageId: number }
  | { readonly status: 'message_gone' }
  | { readonly status: 'moved'; readonly newChatId: string };

interface PersonInChat {
  readonly chatId: string;
  readonly personId: string;
}

/**
 * Channels and groups on the messenger. All methods throw if the messenger doesn't respond or refuses for a reason that
 * isn't named here.
 */
export interface Chats {
  find(chatId: string): Promise<Found<NamedChatFacts>>;
  findMember(person: PersonInChat): Promise<'admin' | 'in' | 'out'>;
  /** Finds out whether a person owns a chat, or may post, invite and remove people there, as the bot does. */
  findManager(person: PersonInChat & { readonly kind: ChatKind }): Promise<'owner' | 'manager' | null>;
  post(post: ChatPost): Promise<PostResult>;
  /** Replaces a post. An unchanged one counts as sent. */
  edit(post: ChatPost & { readonly messageId: number }): Promise<PostResult>;
  postImage(image: {
    readonly chatId: string;
    readonly png: Uint8Array;
    readonly caption: string;
  }): Promise<PostResult>;
  /** Accepts a join request. Returns false if there is none. */
  approve(person: PersonInChat): Promise<boolean>;
  decline(person: PersonInChat): Promise<boolean>;
  /**
   * Removes a person, who may ask to join again. Returns false for an administrator, who can't be removed, and true if
   * nobody is there.
   */
  remove(person: PersonInChat): Promise<boolean>;
  createJoinLink(chatId: string): Promise<string>;
}

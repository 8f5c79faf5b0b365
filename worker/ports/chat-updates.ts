import type { BotRights, ChatKind } from '#schema/rules/access/telegram-chats.ts';

/** A person on the messenger. `id` is also the id of their private chat with the bot. */
export interface ChatPerson {
  readonly id: string;
  readonly name: string;
  readonly username: string | null;
}

/** A command at the start of a message: `/call MINT` has the name `call` and the text `MINT`. */
export interface Command {
  readonly kind: 'command';
  readonly name: string;
  readonly text: string;
}

export type PrivateUpdate = {
  readonly in: 'private';
  readonly chatId: string;
  readonly username: string | null;
  /** Unix ms, but in whole seconds of the messenger's clock. An update may arrive late, and twice. */
  readonly at: number;
} & (
  | Command
  | {
      readonly kind: 'button';
      readonly action: string;
      readonly buttonId: string;
      readonly messageId: number;
    }
  | { readonly kind: 'blocked' }
  /** The person chose a channel or group with a button that the bot offered (`Reply.picksChat`). */
  | { readonly kind: 'picked_chat'; readonly pickedId: string }
  /** Any other message. Forwarded ones have no text. */
  | { readonly kind: 'other'; readonly text: string }
);

export type ChatUpdate = {
  readonly in: 'chat';
  readonly chatId: string;
  readonly chatKind: ChatKind;
  readonly title: string;
  readonly at: number;
} &
  /** The bot was added, removed, or got other rights. `rights` is null if it isn't an administrator. */
  (
    | {
        readonly kind: 'bot';
        /** Null if an anonymous administrator did it. */
        readonly byId: string | null;
        readonly isIn: boolean;
        readonly rights: BotRights | null;
      }
    /** `hasJoined`: the person wasn't in the chat before. */
    | {
        readonly kind: 'member';
        readonly person: ChatPerson;
        readonly status: 'in' | 'admin' | 'out';
        readonly hasJoined: boolean;
      }
    | { readonly kind: 'join_request'; readonly person: ChatPerson }
    | { readonly kind: 'migrated'; readonly newChatId: string }
    | (Command & { readonly personId: string })
  );

export type MessengerUpdate = PrivateUpdate | ChatUpdate;

export type PrivateUpdateOf<Kind extends PrivateUpdate['kind']> = Extract<
  PrivateUpdate,
  { readonly kind: Kind }
>;
export type ChatUpdateOf<Kind extends ChatUpdate['kind']> = Extract<ChatUpdate, { readonly kind: Kind }>;

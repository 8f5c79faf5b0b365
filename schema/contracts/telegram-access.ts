import type { ChatKind } from '#schema/rules/access/telegram-chats.ts';

/** The link by which people ask to join a caller's chat. */
export interface JoinLink {
  readonly kind: ChatKind;
  readonly title: string;
  readonly url: string;
}

/** A person in a caller's chat who came without the bot and has no access. */
export interface ChatOther {
  /** The person's id on Telegram. */
  readonly id: string;
  /** Empty if it isn't known. */
  readonly name: string;
  /** Administrators can't be removed. */
  readonly isAdmin: boolean;
  /** When the person joined. ISO 8601. */
  readonly since: string;
}

import type { ChatKind } from '#schema/rules/access/telegram-chats.ts';

export interface JoinLink {
  readonly kind: ChatKind;
  readonly title: string;
  readonly url: string;
}

export interface ChatOther {
  readonly id: string;
  readonly name: string;
  /** Administrators can't be removed. */
  readonly isAdmin: boolean;
  readonly since: string;
}

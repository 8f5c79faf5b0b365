import { z } from 'zod';
import type { ChatKind } from '#schema/rules/access/telegram-chats.ts';

/** For a person who asks to join a caller's chat on Telegram and has no access. */
export interface ChatInvitation {
  readonly title: string;
  readonly kind: ChatKind;
  /** The name of the Telegram account that asks. */
  readonly telegramName: string;
  readonly callerUsername: string;
  /** True if the user has connected another Telegram account, which this one replaces. */
  readonly isReplacing: boolean;
}

/** The token is the last part of the invitation's link. */
export const acceptInvitationSchema = z.object({ token: z.string().max(64) });

export interface AcceptedInvitation {
  readonly callerUsername: string;
  /** True if the user needs no new subscription to get in. */
  readonly hasAccess: boolean;
}

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

import type { BotRights } from './telegram-chats.ts';

/** A member of a chat, in Telegram's words. */
export interface TelegramMember {
  readonly status: 'creator' | 'administrator' | 'member' | 'restricted' | 'left' | 'kicked';
  /** Only for restricted people, who may have left. */
  readonly is_member?: boolean;
  readonly can_post_messages?: boolean;
  readonly can_invite_users?: boolean;
  readonly can_restrict_members?: boolean;
}

export function roleOf({ status, is_member: isMember = true }: TelegramMember): 'in' | 'admin' | 'out' {
  if (status === 'creator' || status === 'administrator') return 'admin';
  return status === 'left' || status === 'kicked' || !isMember ? 'out' : 'in';
}

/** The rights of an administrator; null for others, also for the owner. In a group, every member may post. */
export function rightsOf(member: TelegramMember, isChannel: boolean): BotRights | null {
  if (member.status !== 'administrator') return null;
  return {
    canPost: !isChannel || member.can_post_messages === true,
    canInvite: member.can_invite_users === true,
    canRemove: member.can_restrict_members === true,
  };
}

export function managerOf(member: TelegramMember, isChannel: boolean): 'owner' | 'manager' | null {
  if (member.status === 'creator') return 'owner';
  const rights = rightsOf(member, isChannel);
  return rights?.canPost && rights.canInvite && rights.canRemove ? 'manager' : null;
}

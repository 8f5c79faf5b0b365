import { JOIN_REQUEST_MS } from '#schema/constants/messages.ts';
import { FREE_TO_PAID_GRACE_MS } from '#schema/constants/money.ts';
import { SECOND_MS } from '#schema/constants/time.ts';

export interface ChatMember {
  readonly status: 'asking' | 'in' | 'admin';
  /** The bot let the person in, or has found that they have access. */
  readonly isByUs: boolean;
  /** By Telegram's clock, which has whole seconds. */
  readonly since: number;
  /** The end of the person's access to the caller (`accessEndsAt`). 0 for a person without an account. */
  readonly accessEndsAt: number;
  readonly isFree: boolean;
  /** Null in a Paid caller's chat until the caller confirms that it's for subscribers. */
  readonly paidSince: number | null;
  readonly removesOthers: boolean;
  readonly now: number;
}

export interface MemberDecision {
  readonly action: 'approve' | 'decline' | 'remove' | 'keep';
  readonly isByUs: boolean;
  /** When to decide again; null if only a change can lead to another decision. */
  readonly checkAt: number | null;
}

const finite = (time: number): number | null => (Number.isFinite(time) ? time : null);

/**
 * Decides whether a person may be in a caller's chat. Members who were there before it was for subscribers stay for
 * `FREE_TO_PAID_GRACE_MS`.
 */
export function decideMember(member: ChatMember): MemberDecision {
  const { status, isByUs, since, accessEndsAt, isFree, paidSince, removesOthers, now } = member;
  const hasAccess = isFree || accessEndsAt > now;
  const checkAt = hasAccess && !isFree ? finite(accessEndsAt) : null;
  if (status === 'asking') {
    if (hasAccess) return { action: 'approve', isByUs: true, checkAt };
    const declineAt = since + JOIN_REQUEST_MS;
    return { action: declineAt <= now ? 'decline' : 'keep', isByUs: false, checkAt: declineAt };
  }
  if (isFree || paidSince === null) return { action: 'keep', isByUs, checkAt: null };
  const isEarly = since < paidSince - (paidSince % SECOND_MS);
  const stayUntil = isEarly ? paidSince + FREE_TO_PAID_GRACE_MS : 0;
  if (hasAccess) {
    return { action: 'keep', isByUs: true, checkAt: checkAt === null ? null : Math.max(checkAt, stayUntil) };
  }
  // The bot can't remove an administrator, so the caller's list of members without access names them.
  if (status === 'admin') return { action: 'keep', isByUs: false, checkAt: null };
  if (now < stayUntil) return { action: 'keep', isByUs, checkAt: stayUntil };
  return { action: isByUs || removesOthers ? 'remove' : 'keep', isByUs, checkAt: null };
}

import { LOOK_ALIKE_MIN_SUBSCRIBERS } from '#schema/constants/market.ts';
import { lookAlikeKey } from '../prices/look-alike.ts';

const NOT_LETTERS = /[^\p{L}\p{N}]/gu;

/**
 * Returns a key to compare people's handles and names. Texts that look the same have the same key. The key is
 * empty for a text without letters and digits.
 */
export function personKey(text: string): string {
  return lookAlikeKey(text).replaceAll(NOT_LETTERS, '').replaceAll('rn', 'm');
}

interface NamedPerson {
  readonly firstName: string;
  readonly lastName: string;
  readonly handle: string;
}

export function callerKeys({ firstName, lastName, handle }: NamedPerson) {
  return { handleKey: personKey(handle), nameKey: personKey(`${firstName} ${lastName}`) };
}

export interface KnownCaller {
  readonly isVerified: boolean;
  readonly subscriberCount: number;
  /** The time since which the caller has had the key that both callers share, in unix ms. */
  readonly keySince: number;
}

/**
 * True if `one` is better known than `other`, who looks alike. A verified caller is better known than an
 * unverified one, and no caller is better known than a verified one. Between unverified callers, `one` needs
 * more subscribers and must have had the handle or name first, so that a new account can't become better
 * known by getting subscribers.
 */
export function isBetterKnownCaller(one: KnownCaller, other: KnownCaller): boolean {
  if (other.isVerified) return false;
  if (one.isVerified) return true;
  return (
    one.keySince < other.keySince &&
    one.subscriberCount > other.subscriberCount &&
    one.subscriberCount >= LOOK_ALIKE_MIN_SUBSCRIBERS
  );
}

export function compareByReputation(one: KnownCaller, other: KnownCaller): number {
  return Number(other.isVerified) - Number(one.isVerified) || other.subscriberCount - one.subscriberCount;
}

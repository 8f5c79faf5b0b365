import { createHash } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { hashText, unitFrom } from '../market/noise.ts';
import { seededPeopleCount, seededPerson, type SamplePerson } from '../x/people.ts';

const CALLERS = 42;
const SOL = 1_000_000_000n;
const FEES: readonly bigint[] = [
  SOL / 100n,
  SOL / 20n,
  SOL / 10n,
  SOL / 4n,
  SOL / 2n,
  SOL,
  (3n * SOL) / 2n,
  2n * SOL,
];

export interface Member {
  readonly index: number;
  readonly id: string;
  readonly person: SamplePerson;
  readonly joinedAt: number;
}

/** A seeded caller. Free callers and a caller without a verified wallet have no `payout`. */
export interface SeededCaller extends Member {
  readonly feeLamports: bigint;
  readonly isVerified: boolean;
  readonly payout: Keypair | null;
  /** From 0 (most calls lose) to 1 (most calls win). */
  readonly skill: number;
  readonly callCount: number;
}

export interface Cast {
  readonly callers: readonly SeededCaller[];
  readonly followers: readonly Member[];
}

// Indexes of sample people who aren't callers, so that a tester can sign in and become one.
const NEWCOMERS = new Set([3, 5]);

/** `from` and `now` are unix ms. */
export function createCast({ from, now }: { from: number; now: number }): Cast {
  const members = Array.from({ length: seededPeopleCount }, (_, index): Member => {
    const joined = from + unitFrom(`joined ${index}`) * (now - from) * 0.3;
    return {
      index,
      id: uuidFrom(`user ${index}`),
      person: seededPerson(index),
      joinedAt: Math.floor(joined),
    };
  });
  const isCaller = ({ index }: Member) => index < CALLERS + NEWCOMERS.size && !NEWCOMERS.has(index);
  return {
    callers: members.filter(isCaller).map(castCaller),
    followers: members.filter((member) => !isCaller(member)),
  };
}

function castCaller(member: Member): SeededCaller {
  const { index } = member;
  const isFree = index === 1 || (index > 7 && unitFrom(`free ${index}`) < 0.3);
  return {
    ...member,
    feeLamports: isFree ? 0n : (FEES[hashText(`fee ${index}`) % FEES.length] ?? SOL),
    isVerified: member.person.isVerified,
    payout: isFree || index === 11 ? null : keypairFrom(`payout ${member.person.handle}`),
    skill: index === 0 ? 0.62 : unitFrom(`skill ${index}`) * 0.85,
    callCount: callCountOf(index),
  };
}

function callCountOf(index: number): number {
  if (index === 0) return 18;
  const isLast = index === CALLERS + 1;
  return isLast ? 0 : 4 + Math.floor(unitFrom(`calls ${index}`) ** 2 * 26);
}

/** A key pair derived from the text. Only for the local chain, because anyone can derive it. */
export function keypairFrom(text: string): Keypair {
  return Keypair.fromSeed(digest(`local key: ${text}`));
}

export function uuidFrom(text: string): string {
  const hex = digest(text).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

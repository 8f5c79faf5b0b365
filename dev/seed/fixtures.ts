import { createHash } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { hashText, pickFrom, hashToUnit } from '../stand-ins/market/noise.ts';
import { seededPerson, type SamplePerson } from '../stand-ins/x/people.ts';
import { firstBusyTime } from './busy-times.ts';

const CALLERS = 30;
const FOLLOWERS = 90;
const SOL = 1_000_000_000n;
const VETERAN_SHARE = 0.5;
const VETERANS_MORE_CALLS = 22;
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
  readonly person: SamplePerson;
  readonly joinedAt: number;
}

/** A seeded caller. Free callers and a caller without a verified wallet have no `payout`. */
export interface SeededCaller extends Member {
  readonly feeLamports: bigint;
  /** The fee in the first FIRST_FEE_DAYS. */
  readonly firstFeeLamports: bigint;
  readonly isVerified: boolean;
  readonly payout: Keypair | null;
  /** From 0 (most calls lose) to 1 (most calls win). */
  readonly skill: number;
  readonly longestHoldDays: number;
  /** The share of the calls on micro-caps. */
  readonly microCapShare: number;
  readonly endedCallCount: number;
  readonly activeCallCount: number;
}

export interface Fixtures {
  readonly callers: readonly SeededCaller[];
  readonly followers: readonly Member[];
}

/** Indexes of the sample people whose roles the README and the browser tests rely on. */
export const AMARA = 0;
export const KENJI = 1;
export const TOBI = 3;
export const MAXIMILIANE = 7;

/** The index of a caller who mostly calls micro-caps, and of one who raised the fee. */
export const MICRO_CAP_CALLER = 26;
const FEE_RAISER = 15;
export const FIRST_FEE_DAYS = 20;
const MICRO_CAP_SHARE = 0.04;

// Indexes of sample people who aren't callers, so that a tester can sign in and become one.
const NEWCOMERS = new Set([TOBI, 5]);
const ALWAYS_WITH_ACTIVE_CALLS = [AMARA, KENJI, MAXIMILIANE];

/** `from` and `now` are unix ms. */
export function createFixtures({ from, now }: { from: number; now: number }): Fixtures {
  const members = Array.from({ length: CALLERS + FOLLOWERS }, (_, index): Member => {
    const key = `joined ${index}`;
    return {
      index,
      person: seededPerson(index),
      joinedAt: firstBusyTime(from + hashToUnit(key) * (now - from) * 0.2, key),
    };
  });
  const isCaller = ({ index }: Member) => index < CALLERS + NEWCOMERS.size && !NEWCOMERS.has(index);
  return {
    callers: members.filter(isCaller).map(callerFixture),
    followers: members.filter((member) => !isCaller(member)),
  };
}

function callerFixture(member: Member): SeededCaller {
  const { index } = member;
  const isFree = index === KENJI || (index > MAXIMILIANE && hashToUnit(`free ${index}`) < 0.3);
  const usualFee = index === AMARA ? SOL / 2n : pickFrom(FEES, `monthly fee ${index}`);
  const feeLamports = isFree ? 0n : usualFee;
  return {
    ...member,
    feeLamports,
    firstFeeLamports: index === FEE_RAISER ? feeLamports / 2n : feeLamports,
    isVerified: member.person.isVerified,
    payout: isFree || index === 11 ? null : keypairFrom(`payout ${member.person.handle}`),
    skill: skillOf(index),
    longestHoldDays: isVeteran(index) || index === MICRO_CAP_CALLER ? 3 : 9,
    microCapShare: index === MICRO_CAP_CALLER ? 0.6 : MICRO_CAP_SHARE,
    ...countCalls(index),
  };
}

/** Some callers have many calls, seldom at the same time, and are good enough to be proven by them. */
const isVeteran = (index: number) => index > MAXIMILIANE && hashToUnit(`veteran ${index}`) < VETERAN_SHARE;

function skillOf(index: number): number {
  if (index === AMARA) return 0.62;
  return isVeteran(index) ? 0.9 + hashToUnit(`skill ${index}`) * 0.1 : hashToUnit(`skill ${index}`) * 0.85;
}

function countCalls(index: number): Pick<SeededCaller, 'endedCallCount' | 'activeCallCount'> {
  const isWithoutCalls = index === CALLERS + 1;
  if (isWithoutCalls) return { endedCallCount: 0, activeCallCount: 0 };
  const activeCallCount = hashText(`active ${index}`) % 4;
  const usual = 4 + Math.floor(hashToUnit(`calls ${index}`) ** 2 * 8);
  return {
    endedCallCount: index === AMARA ? 24 : usual + moreCalls(index),
    activeCallCount: ALWAYS_WITH_ACTIVE_CALLS.includes(index) ? 3 : activeCallCount,
  };
}

const moreCalls = (index: number) =>
  isVeteran(index) || index === MICRO_CAP_CALLER ? VETERANS_MORE_CALLS : 0;

/** Derives a key pair from the text. Use the key pair only on the local chain, because anyone can derive it. */
export function keypairFrom(text: string): Keypair {
  return Keypair.fromSeed(digest(`local key: ${text}`));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

import { afterFee } from '#schema/rules/calls/after-fee.ts';
import type { OperatorsPage } from '#schema/contracts/operators.ts';
import type {
  CallerListItem,
  CallerProfile,
  CallerResults,
  CallerStatistics,
  CallerSummary,
  WindowStatistics,
} from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { DeliveryLogEntry, NotificationSettings } from '#schema/contracts/notifications.ts';
import type { Way } from '#schema/contracts/ways.ts';
import type { MySubscription, Subscriber } from '#schema/contracts/subscriptions.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import type { Webhook } from '#schema/contracts/webhooks.ts';
import { CALL_EVENT_KINDS } from '#schema/constants/messages.ts';
import { MAX_API_KEY_NAME_LENGTH } from '#schema/constants/people.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { expired } from '#web/testing/dashboard-samples.ts';
import {
  activeCall,
  adaProfile,
  allOn,
  consoleSection,
  endedCall,
  signedInUser,
} from '#web/testing/samples.ts';

export const NO_RESULTS: CallerResults = { calls: [], fees: [], openCalls: null };

const MISSING_AVATAR = '/api/images/callers/nobody/missing';
const SMALLEST_PRICE = '0.00000001';
const LARGE_PRICE = '98765.4321';

export const hardNames = [
  { firstName: 'Wolfeschlegelsteinhausenbergerdorffsenior', lastName: '' },
  { firstName: 'Maximiliane-Aurelia Theodora', lastName: 'von Peppercairn' },
  { firstName: '🪁🚀', lastName: '👩‍👩‍👧‍👦🏴‍☠️' },
  { firstName: 'محمد عبد الرحمن', lastName: 'القرشي الهاشمي!' },
  { firstName: 'שלום-דב בן', lastName: 'אברהם (הסוחר)' },
  { firstName: '', lastName: '' },
] as const;

export const hardBios = {
  sentences: 'A record says more than a bio. '.repeat(17).slice(0, 500),
  'one word': 'W'.repeat(500),
  Arabic: 'أنشر كل صفقة، الرابحة والخاسرة معاً. '.repeat(14).slice(0, 500),
  Hebrew: 'כל קריאה נרשמת, רווח והפסד כאחד. '.repeat(16).slice(0, 500),
} as const;

const hardTokens = [
  { tokenSymbol: 'W', tokenName: 'Wormhole' },
  {
    tokenSymbol: 'A'.repeat(32),
    tokenName: 'A name as long as the contract allows it to be, which is eighty characters long.',
  },
  { tokenSymbol: '🐕🎩', tokenName: 'كلب بقبعة' },
  {
    tokenSymbol: 'LONGWORD',
    tokenName: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamten',
  },
] as const;

function pick<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new Error('The list is empty');
  return item;
}

function makeCaller(number: number): CallerSummary {
  return {
    id: `caller-${number}`,
    ...pick(hardNames, number),
    twitterHandle: pick(['FifteenLetters_', 'a'], number),
    profileImageUrl: number === 0 ? MISSING_AVATAR : null,
    isVerified: number % 2 === 0,
  };
}

/** Returns a date in five days. A subscription that ends then shows a warning. */
export function inFiveDays(): string {
  return new Date(Date.now() + 5 * DAY_MS).toISOString();
}

const hardSums = [
  [999_999_999, 999_999_999, 999_999_999],
  [-499_999_999, -499_999_999, -499_999_999],
];

export function makeListedCaller(number: number): CallerListItem {
  return {
    ...makeCaller(number),
    monthlyFee: pick(['0.000000001', '999999.999999999', null], number),
    winRate: pick([100, 0, null], number),
    avgReturn: pick([200, -99.96, null], number),
    totalCalls: 123_456,
    endedCalls: 123_450,
    rankedCalls: pick([123_450, 4, 0], number),
    followerReturn: pick([7_654.3219, -99.94, null], number),
    followerCalls: pick([200, 4, 0], number),
    callsWithoutResult: pick([199, 1, 0], number),
    afterFee: afterFee(
      { results: 500, days: 200, since: 0, mostAtOnce: 500, ppm: pick(hardSums, number), sol: -499_999_999 },
      { feeSol: 0.000_000_001, solPrice: pick([150, null], number), now: Date.now() },
    ),
    afterFeePercent: pick([9_999.9, -9_999.9, null], number),
    proven: pick([196.3, -353.1, null], number),
    provenResults: pick([500, 20, 0], number),
    provenTokens: pick([200, 10, 0], number),
    provenBets: pick([200, 10, 1], number),
    isLeading: pick([true, false, false], number),
    subscriberCount: 987_654,
    followerCount: 1_234_567,
    lastCallTimestamp: new Date(Date.now() - 3_650 * DAY_MS).toISOString(),
    lastRankedCallTimestamp: new Date(Date.now() - 3_650 * DAY_MS).toISOString(),
    canBeSubscribed: number % 5 !== 4,
    recentCalls: Array.from({ length: 7 }, (_, call) => ({
      entryPrice: '1',
      endPrice: pick(['1000', '0.001', '1'], number + call),
      callTimestamp: '2026-01-01T00:00:00.000Z',
    })),
  };
}

export function makeProfile({
  number,
  bio,
  isOwner,
  canSeeActiveCalls,
}: {
  number: number;
  bio: string;
  isOwner: boolean;
  canSeeActiveCalls: boolean;
}): CallerProfile {
  const { recentCalls: _, ...listed } = makeListedCaller(number);
  return {
    ...adaProfile,
    ...listed,
    deletesAt: inFiveDays(),
    silentSince: '2026-01-01T00:00:00.000Z',
    bio,
    lookAlike: makeListedCaller(number + 1),
    formerHolder: { ...makeListedCaller(number + 2), until: '2026-11-01T10:00:00.000Z' },
    viewer: {
      isOwner,
      isSubscribed: !isOwner && canSeeActiveCalls,
      canSeeActiveCalls,
      accessEndsAt: !isOwner && canSeeActiveCalls ? inFiveDays() : null,
      boughtDays: null,
      canUnfollow: !isOwner && canSeeActiveCalls,
    },
    ...(isOwner ? { earnings: '999999.999999999' } : {}),
  };
}

/** A record with large and tiny figures. */
export function makeStatistics({ canSeeActiveCalls }: { canSeeActiveCalls: boolean }): CallerStatistics {
  const figures: WindowStatistics = {
    endedCalls: 4_321,
    meanReturn: 8_765.4321,
    medianReturn: -0.04,
    bestReturn: 98_765.4321,
    worstReturn: -99.96,
    shareOfDoubledCalls: 0,
    profitFactor: 3_429_354_166.7,
    averagePeakMultiple: 1_234.56,
    followedCalls: 4_320,
  };
  return {
    windows: { '30d': figures, '90d': figures, all: figures },
    unrankedCalls: 1_234,
    microCapCalls: 0,
    microCaps: null,
    uncountedGains: 123,
    openCalls: canSeeActiveCalls
      ? { count: 1_000, microCapCount: 999, pricedCount: 999, averageReturn: 98_765.4321 }
      : null,
    holdings: { read: 100, bought: 100, sold: 99, medianFirstSaleMs: 98_765_432_100 },
  };
}

/** Makes a call. Even calls have the smallest price, odd calls the large one. */
export function makeCall({ number, isActive }: { number: number; isActive: boolean }): TokenCall {
  const [entryPrice, otherPrice] =
    number % 2 === 0 ? [SMALLEST_PRICE, '0.00000123'] : ['12345.6789', LARGE_PRICE];
  const shared = {
    ...(isActive ? activeCall : endedCall),
    id: `call-${number}`,
    callerId: `caller-${number}`,
    caller: makeCaller(number),
    ...pick(hardTokens, number),
    tokenMint: mintOf(number),
    logoURI: number === 0 ? MISSING_AVATAR : null,
    entryPrice,
    callTimestamp: '2026-01-01T00:00:00.000Z',
    entryMarketCapUsd: number % 5 === 0 ? null : 999_949_999_999_999,
    isPaidPromotion: number % 3 === 0,
    unrankedReason: number % 4 === 0 ? ('one_source' as const) : null,
  };
  const at = '2026-01-02T00:00:00.000Z';
  if (isActive) return { ...shared, isActive, lastPrice: { price: otherPrice, at, source: 'jupiter' } };
  return {
    ...shared,
    isActive,
    endPrice: otherPrice,
    endTimestamp: at,
    uncountedGainReason: number % 4 === 1 ? ('short_hold' as const) : null,
    automaticEnd: number % 4 === 2 ? ('time_limit' as const) : null,
    changePercent: ((Number(otherPrice) - Number(entryPrice)) / Number(entryPrice)) * 100,
  };
}

/** Makes a subscription. Half of the subscriptions have expired, and a quarter end soon. */
export function makeSubscription(number: number): MySubscription {
  const isActive = number % 2 === 1;
  const end = number % 4 === 3 ? inFiveDays() : '2099-12-31T00:00:00.000Z';
  return {
    ...expired,
    id: `subscription-${number}`,
    callerId: `caller-${number}`,
    caller: makeCaller(number),
    status: isActive ? 'active' : 'expired',
    endDate: isActive ? end : expired.endDate,
    silentDays: 30,
    isActive,
    isCurrentlyActive: isActive,
    monthlyFee: '999999.999999999',
    canUnfollow: isActive,
  };
}

/** Makes a paying subscriber. Every fourth one has deleted the account. */
export function makeSubscriber(number: number): Subscriber {
  const { firstName, lastName, twitterHandle } = makeCaller(number);
  return {
    id: `subscriber-${number}`,
    subscriber: number % 4 === 3 ? null : { firstName, lastName, twitterHandle },
    since: '2025-09-28T12:00:00.000Z',
    until: '2099-12-31T00:00:00.000Z',
    renewals: 1_234,
  };
}

/** Makes a delivery. A quarter of the deliveries are still being sent, and a fifth have no recipients. */
export function makeDelivery(number: number): DeliveryLogEntry {
  const recipients = number % 5 === 4 ? 0 : 123_456;
  return {
    id: `delivery-${number}`,
    kind: pick(CALL_EVENT_KINDS, number),
    callId: `call-${number}`,
    tokenSymbol: pick(hardTokens, number).tokenSymbol,
    at: new Date(Date.now() - (number % 4 === 0 ? 1 : DAY_MS)).toISOString(),
    recipients,
    delivered: recipients === 0 ? 0 : 98_765,
    unreachable: recipients === 0 ? 0 : 12_345,
    failed: recipients === 0 ? 0 : 6_789,
    chats: [{ kind: 'channel', members: 123_456 }],
  };
}

/** Settings with one kind of message switched off. */
export function makeNotificationSettings(mutedCallerCount: number): NotificationSettings {
  const mutedCallers = Array.from({ length: mutedCallerCount }, (_, number) => makeCaller(number));
  return { kinds: { ...allOn.kinds, call_ended: false }, mutedCallers };
}

/** Makes a signed-in user: a caller with long texts, or a follower with Telegram connected. */
export function makeUser({ isCaller }: { isCaller: boolean }): CurrentUser {
  return {
    ...signedInUser,
    ...hardNames[0],
    email: `${'long'.repeat(14)}@example.com`,
    twitterHandle: 'FifteenLetters_',
    profileImageUrl: MISSING_AVATAR,
    isVerified: true,
    isCaller,
    monthlyFee: isCaller ? '999999.999999999' : null,
    telegramHandle: isCaller ? null : 'T'.repeat(32),
    telegramConnected: !isCaller,
  };
}

/** Sessions; a key that was never used and has the longest name; a key that may make calls; one way of each other kind. */
export function makeWays(): Way[] {
  const at = '2026-01-01T00:00:00.000Z';
  const way = {
    mayCall: false,
    madeAt: at,
    madeBy: '0',
    lastUsedAt: at,
    isCurrent: false,
    isNew: false,
    staysByDefault: false,
  };
  const key = { ...way, kind: 'key' as const };
  return [
    ...Array.from({ length: 8 }, (_, number) => ({
      ...way,
      id: String(number),
      kind: 'session' as const,
      madeBy: null,
      name: 'Samsung Internet on Chrome OS',
      isCurrent: number === 0,
      isNew: true,
    })),
    { ...key, id: 'a', name: 'W'.repeat(MAX_API_KEY_NAME_LENGTH), lastUsedAt: null },
    { ...key, id: 'b', name: 'Bot', mayCall: true, madeBy: 'gone' },
    { ...way, id: 'webhook', kind: 'webhook', name: `https://example.com/${'long/'.repeat(20)}` },
    { ...way, id: 'telegram', kind: 'telegram', name: 'T'.repeat(32), mayCall: true },
    { ...way, id: 'telegram_link', kind: 'telegram_link', name: null },
    { ...way, id: '-100', kind: 'chat', name: 'W'.repeat(128), staysByDefault: true },
    { ...way, id: 'x', kind: 'x', name: null },
  ];
}

export function makeWebhook(): Webhook {
  const results = ['waiting', 'delivered', 'unsent', 'unreachable'] as const;
  return {
    url: `https://example.com/${'long/'.repeat(20)}`,
    deliveries: results.map((result, number) => ({
      kind: pick(['call_opened', 'payment_received', 'renewal'], number),
      at: new Date(Date.now() - number * DAY_MS).toISOString(),
      result,
    })),
  };
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function mintOf(number: number): string {
  return `G${'M'.repeat(39)}${[...String(number).padStart(4, '0')].map((digit) => BASE58[Number(digit)]).join('')}`;
}

/** A payment that a fork removed and that landed again, with the longest texts. */
export function makePaymentPage(): OperatorsPage {
  const signature = '5'.repeat(88);
  const links = [
    { to: 'explorer', id: `https://explorer.example/tx/${signature}`, text: signature },
  ] as const;
  const titles = [
    'Opened',
    'Signed',
    'Recorded',
    'Period granted',
    'Revoked by a fork',
    'Period granted',
    'Settled',
  ];
  const rows = titles.map((title, index) => ({
    id: String(index),
    title,
    at: `2026-11-22T10:0${index}:00.000Z`,
    text: `Paid from ${'P'.repeat(44)}\nSlot 312456789`,
    links,
    actions: [],
  }));
  const party = {
    to: 'person',
    id: '3c6ab9d2-7a6f-4b7e-8f43-0f3c5ad7a111',
    text: '@fifteen_letters',
  } as const;
  const facts = [
    { name: 'Subscriber', value: party },
    { name: 'Commission', value: '0.05 SOL to PlatformWallet1111111111111111111111111111' },
  ] as const;
  const section = consoleSection('0.5 SOL to @fifteen_letters: Settled', { facts, rows });
  return { title: 'Payment', badges: [], sections: [section] };
}

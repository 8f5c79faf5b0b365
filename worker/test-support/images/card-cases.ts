import { DAY_MS, HOUR_MS } from '#schema/constants/time.ts';
import { afterFee, type AfterFee, type CopiedSums } from '#schema/rules/calls/after-fee.ts';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import type { EndedCall, TokenCall } from '#schema/contracts/calls.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { recapOf, type RecapCall } from '#schema/rules/calls/recap.ts';
import type { CallerRecord } from '../../modules/public/shares/caller-card.ts';
import type { CallRecord } from '../../modules/public/shares/card-text.ts';
import { createCards, type CardImage } from '../../modules/public/shares/share-image.service.ts';
import type { AvatarResponse } from '../../adapters/x-avatars.ts';
import { jpegPortrait, pngPortrait } from './avatars.ts';

/** The input of the site's card if `isSite` is set, of a recap if `recap` is set, of a caller's card if `record` is set, otherwise of a call's card. */
export interface CardCase {
  readonly caller?: Partial<CallerSummary>;
  readonly call?: Partial<TokenCall>;
  readonly record?: Partial<CallerRecord>;
  readonly recap?: readonly RecapCall[];
  /** The record behind a call; null for a deleted caller. */
  readonly behind?: CallRecord | null;
  readonly avatar?: AvatarResponse;
  readonly isSite?: boolean;
}

const START = Date.UTC(2026, 5, 1);
const NO_AVATAR: AvatarResponse = 'none';
const PNG: AvatarResponse = { type: 'image/png', bytes: pngPortrait };
const JPEG: AvatarResponse = { type: 'image/jpeg', bytes: jpegPortrait };
/** A PNG with complete chunks whose pixels can't be decompressed. */
const BROKEN: AvatarResponse = {
  type: 'image/png',
  bytes: pngPortrait.map((byte, at) => (at > 41 && at < pngPortrait.length - 16 ? byte ^ 0x55 : byte)),
};

const ada: CallerSummary = {
  id: 'ada-id',
  firstName: 'Ada',
  lastName: 'Byron',
  twitterHandle: 'ada',
  profileImageUrl: null,
  isVerified: true,
};
const longest = {
  firstName: 'Maximiliane-Aurelia',
  lastName: 'Peppercairn-Wollstonecraft of Lanternby',
  twitterHandle: 'FifteenLetters_',
};
const arabic = { firstName: 'عبد الرحمن', lastName: 'بن محمد' };
const mixed = { firstName: 'ليلى', lastName: 'Trades קריפטו and a name that does not end' };
const markup = { firstName: '<script>alert(1)</script>', lastName: '&amp; "Co"' };
const emoji = { firstName: '🪁 Ada', lastName: '🚀🚀 Byron 👩‍🚀' };

const ended = (entryPrice: string, endPrice: string, heldMs = 27 * HOUR_MS): Partial<TokenCall> => ({
  entryPrice,
  endPrice,
  changePercent: changePercent(entryPrice, endPrice),
  endTimestamp: new Date(START + heldMs).toISOString(),
});
const NO_SUMS: CopiedSums = { results: 0, days: 0, since: START, mostAtOnce: 0, ppm: [0, 0, 0], sol: 0 };

/** The gains of a month with each stake in the sixty days before START, with these gains in millionths of a stake. */
export function monthsAfterFee(changes: Partial<CopiedSums> = {}, feeSol = 0.5): AfterFee {
  const since = START - 60 * DAY_MS;
  const gains = {
    results: 40,
    days: 30,
    since,
    mostAtOnce: 15,
    ppm: [2_560_000, 2_200_000, 900_000],
    sol: -380_000,
  };
  return afterFee({ ...gains, ...changes }, { feeSol, solPrice: 150, now: START });
}

export const sampleRecord: CallerRecord = {
  winRate: 62.5,
  avgReturn: 41.3,
  proven: 38.6,
  rankedCalls: 24,
  monthlyFee: '0.5',
  afterFee: monthsAfterFee(),
};
const newcomer: CallerRecord = {
  winRate: null,
  avgReturn: null,
  proven: null,
  rankedCalls: 0,
  monthlyFee: null,
  afterFee: monthsAfterFee(NO_SUMS, 0),
};

export const sampleCall = {
  id: 'call-id',
  callerId: ada.id,
  caller: ada,
  tokenSymbol: 'BONK',
  tokenName: 'Bonk',
  tokenMint: 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263',
  logoURI: null,
  callTimestamp: new Date(START).toISOString(),
  isActive: false,
  isPaidPromotion: false,
  unrankedReason: null,
  uncountedGainReason: null,
  automaticEnd: null,
  ...ended('0.00002', '0.00003'),
} as EndedCall;

/** Difficult cases for all kinds of card. Each key is the name of its reference image. */
export const cardCases: Readonly<Record<string, CardCase>> = {
  'call-win': { call: {}, avatar: PNG },
  'call-loss': {
    call: { ...ended('2.5', '1.85'), tokenSymbol: 'WIF', tokenName: 'dogwifhat' },
    avatar: JPEG,
    behind: { winRate: 100, rankedCalls: 1 },
  },
  'call-unchanged': { call: ended('0.82', '0.82', 40_000), caller: { isVerified: false } },
  'call-tiny-price': { call: ended('0.00000001', '0.00000124', 190 * DAY_MS) },
  'call-lost-all': { call: ended('2.5', '0.0025', 3 * HOUR_MS), avatar: BROKEN },
  'call-ended-automatically': {
    call: { ...ended('2.5', '0', 190 * DAY_MS), automaticEnd: 'no_price', isPaidPromotion: true },
    behind: null,
  },
  'call-promotion': { call: { ...ended('2.5', '1.85'), isPaidPromotion: true }, avatar: PNG },
  'call-unranked': {
    call: { ...ended('0.00002', '0.0002'), unrankedReason: 'one_source' },
    avatar: PNG,
    behind: newcomer,
  },
  'call-uncounted-promotion': {
    call: {
      ...ended('0.00002', '0.0002', HOUR_MS / 12),
      uncountedGainReason: 'short_hold',
      isPaidPromotion: true,
      tokenSymbol: 'LONGSYMBOLNAME',
      tokenName: 'The Longest Token Name of All',
    },
  },
  'call-beyond-figures': { call: ended('0.00000001', '123456789012345678', 4_000 * DAY_MS) },
  'call-long-names': {
    caller: longest,
    call: {
      tokenSymbol: 'W'.repeat(32),
      tokenName: 'A token with a name that goes on for as long as it may go on',
    },
    behind: { winRate: 50, rankedCalls: 123_456 },
  },
  'call-emoji': { caller: emoji, call: { tokenSymbol: 'KITE🪁', tokenName: '🪁 Kite 🪁' } },
  'call-only-emoji': {
    caller: { firstName: '🪁', lastName: '🚀' },
    call: { tokenSymbol: '🪁', tokenName: '🪁🪁' },
  },
  'call-arabic': {
    caller: arabic,
    call: { ...ended('1', '0.6'), tokenSymbol: 'عملة', tokenName: 'عملة القمر' },
  },
  'call-mixed-directions': { caller: mixed, call: { tokenSymbol: 'MOON', tokenName: 'Moon لا قمر' } },
  'call-chinese': {
    caller: { firstName: '山田', lastName: '太郎' },
    call: { tokenSymbol: '狗狗币', tokenName: '狗狗币' },
  },
  'call-look-alike': {
    caller: { firstName: '𝓐𝓭𝓪', lastName: 'Byron' },
    call: { tokenSymbol: '𝐁𝐎𝐍𝐊', tokenName: '½ SOL x²' },
  },
  'caller-avatar': { record: {}, avatar: PNG },
  'caller-newcomer': { record: newcomer, caller: { isVerified: false } },
  'caller-losing': {
    record: {
      winRate: 0,
      avgReturn: -99.9,
      proven: 0,
      rankedCalls: 1,
      afterFee: monthsAfterFee({ ppm: [-3_000_000, -3_200_000, -4_000_000], sol: 120_000 }),
    },
    avatar: BROKEN,
  },
  'caller-long': {
    caller: longest,
    record: {
      winRate: 100,
      avgReturn: 12_345,
      proven: 92.9,
      rankedCalls: 123_456,
      monthlyFee: '999999.123456789',
      afterFee: monthsAfterFee({ ppm: [2e14, 1e14, 5e13], sol: -2e14, mostAtOnce: 500 }, 999_999),
    },
    avatar: JPEG,
  },
  'caller-only-emoji': {
    caller: { firstName: '🪁', lastName: '' },
    record: { avgReturn: 0, monthlyFee: null, afterFee: monthsAfterFee({}, 0) },
  },
  'caller-markup': { caller: markup, record: { proven: null } },
  site: { isSite: true },
  'recap-week': {
    recap: [
      { symbol: 'BONK', countedChange: 123.4 },
      { symbol: 'WIF', countedChange: -40 },
      { symbol: 'JUP', countedChange: 3 },
      { symbol: 'THIN', countedChange: null },
    ],
    avatar: PNG,
  },
  'recap-unranked': { recap: [{ symbol: 'THIN', countedChange: null }] },
  'recap-long': {
    caller: longest,
    recap: [
      { symbol: 'A_SYMBOL_THAT_DOES_NOT_END_SOON', countedChange: 123_456_789 },
      { symbol: '</text>مرحبا', countedChange: -100 },
    ],
    avatar: JPEG,
  },
};

export function drawCase({
  caller,
  call = {},
  record: changes,
  recap,
  avatar = NO_AVATAR,
  behind = sampleRecord,
  isSite = false,
}: CardCase): Promise<CardImage> {
  const person = { ...ada, ...caller };
  const cards = createCards({ fetchAvatar: async () => avatar, host: 'solcallers.example' });
  if (isSite) return cards.drawSite();
  if (recap !== undefined) {
    return cards.drawRecap(person, { recap: recapOf(recap), period: 'in the last 7 days' });
  }
  if (changes !== undefined) return cards.drawCaller({ ...person, ...sampleRecord, ...changes });
  return cards.drawCall({ ...sampleCall, callerId: person.id, caller: person, ...call }, behind);
}

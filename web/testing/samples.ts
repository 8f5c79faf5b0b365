import { afterFee } from '#schema/rules/calls/after-fee.ts';
import { describeEndedCalls } from '#schema/rules/calls/performance.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import type {
  CallerListItem,
  CallerProfile,
  CallerStatistics,
  CallerSummary,
  CallerResults,
  CopiedCall,
  WindowStatistics,
} from '#schema/contracts/callers.ts';
import type { CallDetail, CallQuote, TokenCall, TokenCalls } from '#schema/contracts/calls.ts';
import type { NotificationSettings } from '#schema/contracts/notifications.ts';
import type { OperatorsPage, OperatorsSection } from '#schema/contracts/operators.ts';
import type { Earning, PaymentSummary, Receipt } from '#schema/contracts/payments.ts';
import type { SolPrice } from '#schema/contracts/prices.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';

export const ada: CallerSummary = {
  id: 'caller-1',
  firstName: 'Ada',
  lastName: 'Byron',
  twitterHandle: 'ada',
  profileImageUrl: 'https://img.example/ada.png',
  isVerified: true,
};

const adaSums = {
  results: 61,
  days: 31,
  since: Date.parse('2026-05-01T10:00:00.000Z'),
  mostAtOnce: 15,
  ppm: [8_260_000, 7_900_000, 2_100_000],
  sol: -1_330_000,
};
const november = { feeSol: 0.5, solPrice: 150, now: Date.parse('2026-11-27T10:00:00.000Z') };

export const adaListed: CallerListItem = {
  ...ada,
  monthlyFee: '0.5',
  winRate: 62.5,
  avgReturn: 34.2,
  totalCalls: 50,
  endedCalls: 48,
  rankedCalls: 47,
  followerReturn: 21.7,
  followerCalls: 40,
  callsWithoutResult: 7,
  afterFee: afterFee(adaSums, november),
  afterFeePercent: 2.1,
  proven: 8.4,
  provenResults: 61,
  provenTokens: 25,
  provenBets: 31,
  isLeading: true,
  subscriberCount: 1204,
  followerCount: 310,
  lastRankedCallTimestamp: '2026-11-19T10:00:00.000Z',
  lastCallTimestamp: '2026-11-20T10:00:00.000Z',
  canBeSubscribed: true,
  recentCalls: [
    { entryPrice: '1', endPrice: '1.5', callTimestamp: '2026-11-01T10:00:00.000Z' },
    { entryPrice: '2', endPrice: '1', callTimestamp: '2026-11-02T10:00:00.000Z' },
  ],
};

const { recentCalls: _recentCalls, ...adaRecord } = adaListed;

export const adaProfile: CallerProfile = {
  ...adaRecord,
  isSuspended: false,
  deletesAt: null,
  silentSince: null,
  bio: 'Few calls.',
  createdAt: '2025-03-04T10:00:00.000Z',
  activeCallCount: 2,
  payoutAddress: null,
  lookAlike: null,
  formerHolder: null,
  viewer: {
    isOwner: false,
    isSubscribed: false,
    canSeeActiveCalls: false,
    accessEndsAt: null,
    boughtDays: null,
    canUnfollow: false,
  },
};

const allTime: WindowStatistics = {
  endedCalls: 4,
  meanReturn: 232.5,
  medianReturn: 40,
  bestReturn: 900,
  worstReturn: -50,
  shareOfDoubledCalls: 25,
  profitFactor: 19.6,
  averagePeakMultiple: 4.25,
  followedCalls: 3,
};

export const adaStatistics: CallerStatistics = {
  windows: {
    '30d': describeEndedCalls([]),
    '90d': {
      ...allTime,
      endedCalls: 1,
      medianReturn: 50,
      bestReturn: 50,
      worstReturn: 50,
      shareOfDoubledCalls: 0,
      profitFactor: null,
      averagePeakMultiple: null,
      followedCalls: 0,
    },
    all: allTime,
  },
  unrankedCalls: 1,
  microCapCalls: 0,
  microCaps: null,
  uncountedGains: 0,
  openCalls: null,
  holdings: null,
};

export const endedCall: TokenCall = {
  id: 'call-1',
  callerId: ada.id,
  caller: ada,
  tokenSymbol: 'BONK',
  tokenName: 'Bonk',
  tokenMint: 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263',
  logoURI: null,
  entryPrice: '0.00002',
  entryMarketCapUsd: null,
  endPrice: '0.00003',
  callTimestamp: '2026-11-18T10:00:00.000Z',
  endTimestamp: '2026-11-19T10:00:00.000Z',
  isActive: false,
  changePercent: 50,
  thesis: null,
  targetPrice: null,
  stopPrice: null,
  isPaidPromotion: false,
  unrankedReason: null,
  uncountedGainReason: null,
  automaticEnd: null,
};

/** The rest of a call's details: nothing has happened. */
export const noEvents = {
  updates: [],
  levelHits: [],
  quotes: [],
  marks: [],
  follower: null,
  madeOn: 'site' as const,
  logEntries: [],
  holdings: null,
  note: null,
};
/** The recorded quote at a call's opening. */
export const quote: CallQuote = {
  side: 'open',
  source: 'jupiter',
  price: endedCall.entryPrice,
  sentPrice: null,
  failure: null,
  isRecorded: true,
  quotedAt: endedCall.callTimestamp,
  blockId: 312_456_789,
  liquidityUsd: 1_234_567.8,
  volume24hUsd: null,
  poolCreatedAt: null,
  multiplier: null,
};
export const callDetail: CallDetail = { ...endedCall, ...noEvents };

/** The responses for Ada's profile. */
export const profileApi = {
  'GET /api/callers/ada': adaProfile,
  'GET /api/callers/caller-1/statistics': adaStatistics,
  'GET /api/callers/caller-1/telegram-chats': [],
  'GET /api/token-calls/caller/caller-1/active': [],
  'GET /api/token-calls/caller/caller-1/history': [endedCall],
  'GET /api/prices': {},
};

export const tokenCalls: TokenCalls = {
  mint: endedCall.tokenMint,
  symbol: 'BONK',
  name: 'Bonk',
  logoURI: null,
  ended: [endedCall],
  first: endedCall,
  active: [],
  points: [],
};

const {
  endPrice: _endPrice,
  endTimestamp: _endTimestamp,
  changePercent: _changePercent,
  ...open
} = endedCall;

export const activeCall: TokenCall = {
  ...open,
  id: 'call-2',
  tokenSymbol: 'WIF',
  tokenName: 'dogwifhat',
  tokenMint: 'EKpQGSJtjMFqKZ9KQanSqYXRcFQfBopzLHYxdM65zcjm',
  entryPrice: '2',
  isActive: true,
};

export const activeCallDetail: CallDetail = { ...activeCall, ...noEvents };

export const signedInUser: CurrentUser = {
  id: 'user-1',
  firstName: 'Vi',
  lastName: 'Sitor',
  email: 'vi@example.com',
  twitterHandle: 'vi',
  profileImageUrl: null,
  bio: null,
  isVerified: false,
  isCaller: false,
  walletAddress: null,
  monthlyFee: null,
  telegramHandle: null,
  telegramConnected: false,
  canPostOnX: false,
  mustAcceptTerms: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

/** The responses for Ada's profile to a signed-in subscriber. */
export const subscribedApi = {
  ...profileApi,
  'GET /api/auth/user': signedInUser,
  'GET /api/callers/ada': {
    ...adaProfile,
    viewer: { ...adaProfile.viewer, isSubscribed: true, canSeeActiveCalls: true },
  },
};

export const allOn: NotificationSettings = {
  kinds: {
    call_opened: true,
    call_ended: true,
    call_update: true,
    level_hit: true,
    subscription_expiring: true,
    subscription_expired: true,
    payment_received: true,
    chat_only: true,
  },
  mutedCallers: [],
};

const payment: PaymentSummary = {
  id: 'payment-1',
  days: 30,
  callerAddress: '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu',
  callerAmount: '0.450000001',
  platformAddress: 'Vote111111111111111111111111111111111111111',
  platformAmount: '0.05',
  totalAmount: '0.500000001',
  signature: '5'.repeat(87),
  explorerUrl: `https://explorer.example/tx/${'5'.repeat(87)}`,
  slot: 312_456_789,
  paidAt: '2026-11-12T10:04:33.000Z',
  period: { startDate: '2026-11-12T10:04:35.000Z', endDate: '2026-12-12T10:04:35.000Z' },
  earned: '0.450000001',
  owed: null,
  paidBack: '0',
  left: '0.500000001',
  paidBackTwice: null,
  refunds: [],
  refundRequest: null,
  state: 'finalized',
};

export const receipt: Receipt = {
  ...payment,
  caller: ada,
  payerAddress: '7Y4f3Taf6LPyZsQpKW3bE7C2rbVNpFPSgE8XH4Lw2cYq',
};

export const earning: Earning = {
  ...payment,
  subscriberId: '1f0c2d3e-0000-4000-8000-00000000beef',
  subscriber: null,
};

export const consoleSection = (title: string, parts: Partial<OperatorsSection> = {}): OperatorsSection => ({
  title,
  facts: [],
  rows: [],
  none: '',
  actions: [],
  problems: 0,
  ...parts,
});

/** The operators' first page if nothing is wrong. */
export const noProblems: OperatorsPage = {
  title: 'Operators',
  badges: [],
  sections: [consoleSection('What can’t users do now?', { none: 'Nothing: everything works.' })],
};

/** The API's response with a current price of SOL, so that amounts are also shown in dollars. */
export const solPrice = (price: string): SolPrice => ({
  sol: { price, at: new Date().toISOString(), source: 'jupiter' },
});

export const callerResults = (
  calls: readonly CopiedCall[],
  monthlyFee: string | null = null,
  more: Partial<CallerResults> = {},
): CallerResults => ({ calls, fees: [{ monthlyFee, until: null }], openCalls: null, ...more });

/** A call that was open for a day, in a pool that no amount moves. */
export const copiedCall = (
  daysAgo: number,
  endPrice: string,
  more: Partial<CopiedCall> = {},
): CopiedCall => ({
  id: `call-${daysAgo}`,
  tokenSymbol: 'JUP',
  callTimestamp: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
  endTimestamp: new Date(Date.now() - (daysAgo - 1) * DAY_MS).toISOString(),
  endPrice,
  changePercent: (Number(endPrice) - 1) * 100,
  countedChange: (Number(endPrice) - 1) * 100,
  open: { price: '1', liquidityUsd: 1e12, solPriceUsd: '100' },
  end: { price: endPrice, liquidityUsd: 1e12, solPriceUsd: '90' },
  ...more,
});

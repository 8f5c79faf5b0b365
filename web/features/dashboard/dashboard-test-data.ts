import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { TokenLookup } from '#schema/contracts/prices.ts';
import type { MySubscription } from '#schema/contracts/subscriptions.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import type { FakeRoutes } from '#web/testing/fake-api.ts';
import { allOn } from '#web/testing/samples.ts';

export const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
export const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';

const person = {
  firstName: 'Ada',
  lastName: 'Byron',
  twitterHandle: 'ada',
  profileImageUrl: null,
  isVerified: true,
};

export const subscriber: CurrentUser = {
  ...person,
  id: 'user-1',
  email: null,
  bio: null,
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

export const caller: CurrentUser = { ...subscriber, isCaller: true };

export const profile: CallerProfile = {
  ...person,
  id: caller.id,
  monthlyFee: null,
  winRate: 62.5,
  avgReturn: 12.34,
  provenRate: 30.6,
  totalCalls: 9,
  endedCalls: 8,
  rankedCalls: 7,
  followerReturn: 8.12,
  followerWinRate: 50,
  followerCalls: 6,
  subscriberCount: 3,
  lastCallTimestamp: null,
  canBeSubscribed: true,
  isSuspended: false,
  bio: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  activeCallCount: 1,
  payoutAddress: null,
  lookAlike: null,
  viewer: {
    isOwner: true,
    isSubscribed: false,
    canSeeActiveCalls: true,
    accessEndsAt: null,
    canUnfollow: false,
  },
  earnings: '1.8',
};

export const activeCall: TokenCall = {
  id: 'call-1',
  callerId: caller.id,
  caller: { id: caller.id, ...person },
  tokenSymbol: 'BONK',
  tokenName: 'Bonk',
  tokenMint: BONK,
  logoURI: null,
  entryPrice: '0.00002',
  entryMarketCapUsd: null,
  callTimestamp: '2026-11-20T10:00:00.000Z',
  isActive: true,
  thesis: null,
  targetPrice: null,
  stopPrice: null,
  isPaidPromotion: false,
  unrankedReason: null,
  uncountedGainReason: null,
  automaticEnd: null,
};

export const endedCall: TokenCall = {
  ...activeCall,
  id: 'call-2',
  tokenSymbol: 'WIF',
  tokenName: 'dogwifhat',
  tokenMint: WIF,
  entryPrice: '2',
  isActive: false,
  endPrice: '3',
  endTimestamp: '2026-11-20T12:00:00.000Z',
  changePercent: 50,
};

export const wif: TokenLookup = {
  mint: WIF,
  symbol: 'WIF',
  name: 'dogwifhat',
  logoURI: 'https://example.com/wif.png',
  price: '2.5',
  liquidityUsd: 1_234_567.8,
  createdAt: '2023-11-20T08:00:00.000Z',
  holderCount: 201_345,
  safety: {
    isMintAuthorityDisabled: true,
    isFreezeAuthorityDisabled: true,
    topHoldersPercent: 24.2,
    isSuspicious: null,
    isVerified: true,
  },
  lookAlikes: [],
  at: '2026-11-20T12:00:00.000Z',
};

export const expired: MySubscription = {
  id: 's1',
  subscriberId: subscriber.id,
  callerId: 'caller-2',
  caller: {
    id: 'caller-2',
    firstName: 'Grace',
    lastName: 'Hopper',
    twitterHandle: 'grace',
    profileImageUrl: null,
    isVerified: false,
  },
  status: 'expired',
  startDate: '2026-01-01T00:00:00.000Z',
  endDate: '2026-01-31T00:00:00.000Z',
  isActive: false,
  isCurrentlyActive: false,
  amountPaid: '0.5',
  payment: null,
  monthlyFee: '0.5',
  canBeSubscribed: true,
  canUnfollow: false,
};

export const dashboardApi: FakeRoutes = {
  'GET /api/auth/user': caller,
  'GET /api/subscriptions/calls': [],
  'GET /api/subscriptions/my': [],
  'GET /api/prices': {},
  'GET /api/user/wallets': [],
  'GET /api/user/payout-changes': [],
  'GET /api/user/sessions': [],
  'GET /api/wallet/transactions': [],
  'GET /api/wallet/balances': [],
  'GET /api/telegram/deliveries': [],
  'GET /api/user/notifications': allOn,
  [`GET /api/callers/${caller.id}`]: profile,
  [`GET /api/token-calls/caller/${caller.id}/active`]: [],
  [`GET /api/token-calls/caller/${caller.id}/history`]: [],
};

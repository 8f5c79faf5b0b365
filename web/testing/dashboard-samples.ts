import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { TokenLookup } from '#schema/contracts/prices.ts';
import type { MySubscription } from '#schema/contracts/subscriptions.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import type { SavedWallet } from '#schema/contracts/wallets.ts';
import type { FakeRoutes } from './fake-api.ts';
import { activeCall as sampleActiveCall, adaProfile, allOn, signedInUser } from './samples.ts';

export const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
export const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';

export const savedWallet: SavedWallet = {
  id: 'w1',
  walletAddress: BONK,
  isProven: true,
  isPayout: true,
  createdAt: '',
};

const person = {
  firstName: 'Ada',
  lastName: 'Byron',
  twitterHandle: 'ada',
  profileImageUrl: null,
  isVerified: true,
};

const grace = { id: 'caller-2', firstName: 'Grace', lastName: 'Hopper', twitterHandle: 'grace' };

export const subscriber: CurrentUser = { ...signedInUser, ...person, email: null };

export const caller: CurrentUser = { ...subscriber, isCaller: true };

export const profile: CallerProfile = {
  ...adaProfile,
  ...person,
  id: caller.id,
  monthlyFee: null,
  avgReturn: 12.34,
  totalCalls: 9,
  endedCalls: 8,
  rankedCalls: 7,
  isLeading: false,
  subscriberCount: 3,
  followerCount: 2,
  lastCallTimestamp: null,
  lastRankedCallTimestamp: null,
  bio: null,
  activeCallCount: 1,
  viewer: { ...adaProfile.viewer, isOwner: true, canSeeActiveCalls: true },
  earnings: '1.8',
};

const own = { callerId: caller.id, caller: { id: caller.id, ...person } };

export const activeCall: TokenCall = {
  ...sampleActiveCall,
  ...own,
  id: 'call-1',
  tokenSymbol: 'BONK',
  tokenName: 'Bonk',
  tokenMint: BONK,
  entryPrice: '0.00002',
  callTimestamp: '2026-11-20T10:00:00.000Z',
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
  multiplier: null,
  liquidityUsd: 1_234_567.8,
  volume24hUsd: 456_789.1,
  marketCapUsd: 819_000_000,
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
  callerId: grace.id,
  caller: { ...person, ...grace, isVerified: false },
  status: 'expired',
  startDate: '2026-01-01T00:00:00.000Z',
  endDate: '2026-01-31T00:00:00.000Z',
  silentDays: 0,
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
  'GET /api/payments/subscribers': [],
  'GET /api/prices': {},
  'GET /api/user/wallets': [],
  'GET /api/user/payout-changes': [],
  'GET /api/user/ways': [],
  'GET /api/user/webhook': { url: null, deliveries: [] },
  'GET /api/user/telegram-chats': {
    chats: [],
    addUrls: { channel: 'https://t.me/a_bot?startchannel', group: 'https://t.me/a_bot?startgroup' },
  },
  'GET /api/wallet/transactions': [],
  'GET /api/wallet/balances': [],
  'GET /api/telegram/deliveries': [],
  'GET /api/user/notifications': allOn,
  [`GET /api/callers/${caller.id}`]: profile,
  [`GET /api/token-calls/caller/${caller.id}/active`]: [],
  [`GET /api/token-calls/caller/${caller.id}/history`]: [],
};

import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants.ts';

// Made-up data. The build for the production deploy leaves it out.

const openedAt = Date.now();
const ago = (milliseconds: number) => new Date(openedAt - milliseconds).toISOString();

export const sampleCaller = {
  firstName: 'Sample',
  lastName: 'Caller',
  twitterHandle: 'sample_caller',
  profileImageUrl: null,
};

export const sampleStats = {
  walletAddress: 'SampleWa11etThatNobodyOwnsSampleWa11etThatNo',
  /** In SOL. */
  subscriptionPrice: '0.25',
  totalCalls: 42,
  winRate: 64.3,
  subscribers: 128,
  /** In SOL. */
  totalEarnings: '28.8',
};

export interface SampleCall {
  readonly id: string;
  readonly tokenSymbol: string;
  readonly tokenName: string;
  readonly entryPrice: string;
  readonly callTimestamp: string;
}

export interface SampleActiveCall extends SampleCall {
  readonly currentPrice: string;
}

export interface SampleEndedCall extends SampleCall {
  readonly endPrice: string;
  readonly endTimestamp: string;
}

export const sampleActiveCalls: readonly SampleActiveCall[] = [
  {
    id: 'sample-call-1',
    tokenSymbol: 'APL',
    tokenName: 'Sample Apple',
    entryPrice: '0.0421',
    currentPrice: '0.0583',
    callTimestamp: ago(25 * MINUTE_MS),
  },
  {
    id: 'sample-call-2',
    tokenSymbol: 'BRD',
    tokenName: 'Sample Bread',
    entryPrice: '0.00001834',
    currentPrice: '0.00001612',
    callTimestamp: ago(7 * HOUR_MS),
  },
  {
    id: 'sample-call-3',
    tokenSymbol: 'CHS',
    tokenName: 'Sample Cheese',
    entryPrice: '1.28',
    currentPrice: '1.3312',
    callTimestamp: ago(2 * DAY_MS),
  },
];

export const sampleHistory: readonly SampleEndedCall[] = [
  {
    id: 'sample-call-4',
    tokenSymbol: 'DTE',
    tokenName: 'Sample Date',
    entryPrice: '0.31',
    endPrice: '0.4805',
    callTimestamp: ago(4 * DAY_MS),
    endTimestamp: ago(4 * DAY_MS - 200 * MINUTE_MS),
  },
  {
    id: 'sample-call-5',
    tokenSymbol: 'EGG',
    tokenName: 'Sample Egg',
    entryPrice: '0.00000921',
    endPrice: '0.00000774',
    callTimestamp: ago(6 * DAY_MS),
    endTimestamp: ago(6 * DAY_MS - 48 * MINUTE_MS),
  },
  {
    id: 'sample-call-6',
    tokenSymbol: 'FIG',
    tokenName: 'Sample Fig',
    entryPrice: '2.4',
    endPrice: '2.52',
    callTimestamp: ago(11 * DAY_MS),
    endTimestamp: ago(9 * DAY_MS - 4 * HOUR_MS),
  },
  {
    id: 'sample-call-7',
    tokenSymbol: 'GRP',
    tokenName: 'Sample Grape',
    entryPrice: '0.0067',
    endPrice: '0.01541',
    callTimestamp: ago(16 * DAY_MS),
    endTimestamp: ago(15 * DAY_MS),
  },
];

export interface SampleTransaction {
  readonly signature: string;
  readonly tokenSymbol: string;
  readonly tokenName: string;
  readonly tokenMint: string;
  readonly amount: string;
  readonly timestamp: string;
  readonly transactionType: 'buy' | 'sell' | 'transfer';
  /** In USD. */
  readonly currentPrice: string;
  /** Since the transaction, in percent. */
  readonly priceChange: number;
}

/** Newest first. */
export const sampleTransactions: readonly SampleTransaction[] = [
  {
    signature: 'sample-transaction-1',
    tokenSymbol: 'APL',
    tokenName: 'Sample Apple',
    tokenMint: 'SampleMintApple',
    amount: '1250',
    timestamp: ago(31 * MINUTE_MS),
    transactionType: 'buy',
    currentPrice: '0.0583',
    priceChange: 38.5,
  },
  {
    signature: 'sample-transaction-2',
    tokenSymbol: 'HNY',
    tokenName: 'Sample Honey',
    tokenMint: 'SampleMintHoney',
    amount: '84000',
    timestamp: ago(2 * HOUR_MS),
    transactionType: 'buy',
    currentPrice: '0.00071',
    priceChange: 4.4,
  },
  {
    signature: 'sample-transaction-3',
    tokenSymbol: 'EGG',
    tokenName: 'Sample Egg',
    tokenMint: 'SampleMintEgg',
    amount: '900000',
    timestamp: ago(5 * HOUR_MS),
    transactionType: 'sell',
    currentPrice: '0.00000774',
    priceChange: -1.2,
  },
  {
    signature: 'sample-transaction-4',
    tokenSymbol: 'BRD',
    tokenName: 'Sample Bread',
    tokenMint: 'SampleMintBread',
    amount: '3100000',
    timestamp: ago(8 * HOUR_MS),
    transactionType: 'buy',
    currentPrice: '0.00001612',
    priceChange: -12.1,
  },
  {
    signature: 'sample-transaction-5',
    tokenSymbol: 'ICE',
    tokenName: 'Sample Ice',
    tokenMint: 'SampleMintIce',
    amount: '15.5',
    timestamp: ago(DAY_MS),
    transactionType: 'buy',
    currentPrice: '3.07',
    priceChange: 0.9,
  },
  {
    signature: 'sample-transaction-6',
    tokenSymbol: 'CHS',
    tokenName: 'Sample Cheese',
    tokenMint: 'SampleMintCheese',
    amount: '220',
    timestamp: ago(2 * DAY_MS),
    transactionType: 'buy',
    currentPrice: '1.3312',
    priceChange: 4,
  },
  {
    signature: 'sample-transaction-7',
    tokenSymbol: 'JAM',
    tokenName: 'Sample Jam',
    tokenMint: 'SampleMintJam',
    amount: '5000',
    timestamp: ago(2 * DAY_MS + HOUR_MS),
    transactionType: 'transfer',
    currentPrice: '0.019',
    priceChange: 0,
  },
  {
    signature: 'sample-transaction-8',
    tokenSymbol: 'KAL',
    tokenName: 'Sample Kale',
    tokenMint: 'SampleMintKale',
    amount: '640',
    timestamp: ago(3 * DAY_MS),
    transactionType: 'buy',
    currentPrice: '0.118',
    priceChange: -6.3,
  },
  {
    signature: 'sample-transaction-9',
    tokenSymbol: 'LMN',
    tokenName: 'Sample Lemon',
    tokenMint: 'SampleMintLemon',
    amount: '12750',
    timestamp: ago(3 * DAY_MS + 6 * HOUR_MS),
    transactionType: 'buy',
    currentPrice: '0.0092',
    priceChange: 17.9,
  },
  {
    signature: 'sample-transaction-10',
    tokenSymbol: 'MNT',
    tokenName: 'Sample Mint',
    tokenMint: 'SampleMintMint',
    amount: '48',
    timestamp: ago(4 * DAY_MS),
    transactionType: 'buy',
    currentPrice: '7.42',
    priceChange: 2.2,
  },
  {
    signature: 'sample-transaction-11',
    tokenSymbol: 'NUT',
    tokenName: 'Sample Nut',
    tokenMint: 'SampleMintNut',
    amount: '300',
    timestamp: ago(5 * DAY_MS),
    transactionType: 'buy',
    currentPrice: '0.61',
    priceChange: -0.4,
  },
  {
    signature: 'sample-transaction-12',
    tokenSymbol: 'DTE',
    tokenName: 'Sample Date',
    tokenMint: 'SampleMintDate',
    amount: '410',
    timestamp: ago(5 * DAY_MS + HOUR_MS),
    transactionType: 'sell',
    currentPrice: '0.4805',
    priceChange: 55,
  },
  {
    signature: 'sample-transaction-13',
    tokenSymbol: 'OAT',
    tokenName: 'Sample Oat',
    tokenMint: 'SampleMintOat',
    amount: '9800',
    timestamp: ago(6 * DAY_MS),
    transactionType: 'buy',
    currentPrice: '0.0133',
    priceChange: 8.1,
  },
  {
    signature: 'sample-transaction-14',
    tokenSymbol: 'PEA',
    tokenName: 'Sample Pea',
    tokenMint: 'SampleMintPea',
    amount: '77000',
    timestamp: ago(7 * DAY_MS),
    transactionType: 'buy',
    currentPrice: '0.00088',
    priceChange: -21.4,
  },
  {
    signature: 'sample-transaction-15',
    tokenSymbol: 'RYE',
    tokenName: 'Sample Rye',
    tokenMint: 'SampleMintRye',
    amount: '1.25',
    timestamp: ago(8 * DAY_MS),
    transactionType: 'buy',
    currentPrice: '118.4',
    priceChange: 1.1,
  },
];

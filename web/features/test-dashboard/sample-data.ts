import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants.ts';

// Made-up data. The production build leaves it out.

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
  /** The monthly fee in SOL. */
  subscriptionPrice: '0.25',
  totalCalls: 42,
  winRate: 64.3,
  subscribers: 128,
  /** The earnings in SOL. */
  totalEarnings: '28.8',
};

/** A token's symbol and name. */
type SampleToken = readonly [string, string];

const named = ([symbol, name]: SampleToken) => ({ tokenSymbol: symbol, tokenName: `Sample ${name}` });

export interface SampleCall extends ReturnType<typeof named> {
  readonly id: string;
  readonly entryPrice: string;
  readonly callTimestamp: string;
}

interface SampleEntry {
  readonly token: SampleToken;
  readonly entryPrice: string;
  readonly age: number;
}

const toCall = ({ token, entryPrice, age }: SampleEntry): SampleCall => ({
  ...named(token),
  id: `sample-call-${token[0]}`,
  entryPrice,
  callTimestamp: ago(age),
});

const activeCalls: readonly (SampleEntry & { readonly currentPrice: string })[] = [
  { token: ['APL', 'Apple'], entryPrice: '0.0421', currentPrice: '0.0583', age: 25 * MINUTE_MS },
  { token: ['BRD', 'Bread'], entryPrice: '0.00001834', currentPrice: '0.00001612', age: 7 * HOUR_MS },
  { token: ['CHS', 'Cheese'], entryPrice: '1.28', currentPrice: '1.3312', age: 2 * DAY_MS },
];

export const sampleActiveCalls = activeCalls.map((call) => ({
  ...toCall(call),
  currentPrice: call.currentPrice,
}));

/** `held` is how long the call was open, in ms. */
const endedCalls: readonly (SampleEntry & { readonly endPrice: string; readonly held: number })[] = [
  { token: ['DTE', 'Date'], entryPrice: '0.31', endPrice: '0.4805', age: 4 * DAY_MS, held: 200 * MINUTE_MS },
  {
    token: ['EGG', 'Egg'],
    entryPrice: '0.00000921',
    endPrice: '0.00000774',
    age: 6 * DAY_MS,
    held: 48 * MINUTE_MS,
  },
  { token: ['FIG', 'Fig'], entryPrice: '2.4', endPrice: '2.52', age: 11 * DAY_MS, held: 52 * HOUR_MS },
  { token: ['GRP', 'Grape'], entryPrice: '0.0067', endPrice: '0.01541', age: 16 * DAY_MS, held: DAY_MS },
];

export const sampleHistory = endedCalls.map((call) => ({
  ...toCall(call),
  endPrice: call.endPrice,
  endTimestamp: ago(call.age - call.held),
}));

interface SampleTransaction {
  readonly type: 'buy' | 'sell' | 'transfer';
  readonly token: SampleToken;
  readonly amount: string;
  readonly age: number;
  /** The current price in USD. */
  readonly price: string;
  /** The price's change since the transaction, in percent. */
  readonly change: number;
}

/** The sample transactions, newest first. */
const transactions: readonly SampleTransaction[] = [
  {
    type: 'buy',
    token: ['APL', 'Apple'],
    amount: '1250',
    age: 31 * MINUTE_MS,
    price: '0.0583',
    change: 38.5,
  },
  { type: 'buy', token: ['HNY', 'Honey'], amount: '84000', age: 2 * HOUR_MS, price: '0.00071', change: 4.4 },
  {
    type: 'sell',
    token: ['EGG', 'Egg'],
    amount: '900000',
    age: 5 * HOUR_MS,
    price: '0.00000774',
    change: -1.2,
  },
  {
    type: 'buy',
    token: ['BRD', 'Bread'],
    amount: '3100000',
    age: 8 * HOUR_MS,
    price: '0.00001612',
    change: -12.1,
  },
  { type: 'buy', token: ['ICE', 'Ice'], amount: '15.5', age: DAY_MS, price: '3.07', change: 0.9 },
  { type: 'buy', token: ['CHS', 'Cheese'], amount: '220', age: 2 * DAY_MS, price: '1.3312', change: 4 },
  { type: 'transfer', token: ['JAM', 'Jam'], amount: '5000', age: 49 * HOUR_MS, price: '0.019', change: 0 },
  { type: 'buy', token: ['KAL', 'Kale'], amount: '640', age: 3 * DAY_MS, price: '0.118', change: -6.3 },
  { type: 'buy', token: ['LMN', 'Lemon'], amount: '12750', age: 78 * HOUR_MS, price: '0.0092', change: 17.9 },
  { type: 'buy', token: ['MNT', 'Mint'], amount: '48', age: 4 * DAY_MS, price: '7.42', change: 2.2 },
  { type: 'buy', token: ['NUT', 'Nut'], amount: '300', age: 5 * DAY_MS, price: '0.61', change: -0.4 },
  { type: 'sell', token: ['DTE', 'Date'], amount: '410', age: 121 * HOUR_MS, price: '0.4805', change: 55 },
  { type: 'buy', token: ['OAT', 'Oat'], amount: '9800', age: 6 * DAY_MS, price: '0.0133', change: 8.1 },
  { type: 'buy', token: ['PEA', 'Pea'], amount: '77000', age: 7 * DAY_MS, price: '0.00088', change: -21.4 },
  { type: 'buy', token: ['RYE', 'Rye'], amount: '1.25', age: 8 * DAY_MS, price: '118.4', change: 1.1 },
];

export const sampleTransactions = transactions.map(({ type, token, amount, age, price, change }) => ({
  ...named(token),
  signature: `sample-transaction-${token[0]}`,
  tokenMint: `SampleMint${token[1]}`,
  amount,
  timestamp: ago(age),
  transactionType: type,
  currentPrice: price,
  priceChange: change,
}));

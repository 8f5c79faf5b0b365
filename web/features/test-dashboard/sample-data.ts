import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';

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
  subscriptionPrice: '0.25',
  totalCalls: 42,
  winRate: 64.3,
  subscribers: 128,
  totalEarnings: '28.8',
};

export type SampleCall = ReturnType<typeof call>;

interface SampleTimes {
  /** How long ago the call was made, and for how long an ended call was open, in ms. */
  readonly age: number;
  readonly held?: number;
  readonly entryPrice: string;
  /** The price at the end or now. */
  readonly price: string;
}

const call = (symbol: string, name: string, { age, held = 0, entryPrice, price }: SampleTimes) => ({
  tokenSymbol: symbol,
  tokenName: `Sample ${name}`,
  entryPrice,
  price,
  callTimestamp: ago(age),
  endTimestamp: ago(age - held),
});

export const sampleActiveCalls = [
  call('APL', 'Apple', { age: 25 * MINUTE_MS, entryPrice: '0.0421', price: '0.0583' }),
  call('BRD', 'Bread', { age: 7 * HOUR_MS, entryPrice: '0.00001834', price: '0.00001612' }),
  call('CHS', 'Cheese', { age: 2 * DAY_MS, entryPrice: '1.28', price: '1.3312' }),
];

export const sampleHistory = [
  call('DTE', 'Date', { age: 4 * DAY_MS, held: 200 * MINUTE_MS, entryPrice: '0.31', price: '0.4805' }),
  call('EGG', 'Egg', { age: 6 * DAY_MS, held: 48 * MINUTE_MS, entryPrice: '0.00921', price: '0.00774' }),
  call('FIG', 'Fig', { age: 11 * DAY_MS, held: 52 * HOUR_MS, entryPrice: '2.4', price: '2.52' }),
  call('GRP', 'Grape', { age: 16 * DAY_MS, held: DAY_MS, entryPrice: '0.0067', price: '0.01541' }),
];

interface SampleTrade {
  readonly amount: string;
  readonly age: number;
  readonly price: string;
  /** The price's change since the transaction, in percent. */
  readonly change: number;
}

const transaction = (transactionType: 'buy' | 'sell' | 'transfer') => {
  return (symbol: string, name: string, { amount, age, price, change }: SampleTrade) => ({
    transactionType,
    tokenSymbol: symbol,
    tokenName: `Sample ${name}`,
    amount,
    timestamp: ago(age),
    currentPrice: price,
    priceChange: change,
  });
};
const [buy, sell, transfer] = [transaction('buy'), transaction('sell'), transaction('transfer')];

export const sampleTransactions = [
  buy('APL', 'Apple', { age: 31 * MINUTE_MS, amount: '1250', price: '0.0583', change: 38.5 }),
  buy('HNY', 'Honey', { age: 2 * HOUR_MS, amount: '84000', price: '0.00071', change: 4.4 }),
  sell('EGG', 'Egg', { age: 5 * HOUR_MS, amount: '900000', price: '0.00774', change: -1.2 }),
  buy('BRD', 'Bread', { age: 8 * HOUR_MS, amount: '3100000', price: '0.00001612', change: -12.1 }),
  buy('ICE', 'Ice', { age: DAY_MS, amount: '15.5', price: '3.07', change: 0.9 }),
  buy('CHS', 'Cheese', { age: 2 * DAY_MS, amount: '220', price: '1.3312', change: 4 }),
  transfer('JAM', 'Jam', { age: 49 * HOUR_MS, amount: '5000', price: '0.019', change: 0 }),
  buy('KAL', 'Kale', { age: 3 * DAY_MS, amount: '640', price: '0.118', change: -6.3 }),
  buy('LMN', 'Lemon', { age: 78 * HOUR_MS, amount: '12750', price: '0.0092', change: 17.9 }),
  buy('MNT', 'Mint', { age: 4 * DAY_MS, amount: '48', price: '7.42', change: 2.2 }),
  buy('NUT', 'Nut', { age: 5 * DAY_MS, amount: '300', price: '0.61', change: -0.4 }),
  sell('DTE', 'Date', { age: 121 * HOUR_MS, amount: '410', price: '0.4805', change: 55 }),
  buy('OAT', 'Oat', { age: 6 * DAY_MS, amount: '9800', price: '0.0133', change: 8.1 }),
  buy('PEA', 'Pea', { age: 7 * DAY_MS, amount: '77000', price: '0.00088', change: -21.4 }),
  buy('RYE', 'Rye', { age: 8 * DAY_MS, amount: '1.25', price: '118.4', change: 1.1 }),
];

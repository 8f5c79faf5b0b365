import type { Keypair } from '@solana/web3.js';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { hashText, hashToUnit } from '../stand-ins/market/noise.ts';
import type { MarketToken } from '../stand-ins/market/tokens.ts';
import { priceAt } from '../stand-ins/market/walk.ts';
import type { SeededCaller } from './fixtures.ts';
import { callable, type PlannedCall } from './plan-calls.ts';

const DAY = 86_400_000;
const HOUR = DAY / 24;
const SOL = 1_000_000_000;
const BOUGHT_SINCE_MS = 9 * DAY;
const MOST_BUYS = 5;

/** A purchase by a caller's wallet at the market price, in lamports and smallest token units. */
export interface PlannedBuy {
  readonly buyer: Keypair;
  readonly token: MarketToken;
  readonly lamports: bigint;
  readonly amount: bigint;
  readonly at: number;
}

interface PlanBuysOptions {
  readonly callers: readonly SeededCaller[];
  readonly calls: readonly PlannedCall[];
  readonly now: number;
}

/** Plans recent purchases by the callers' payout wallets, in time order. Some purchases are soon before a call. */
export function planBuys({ callers, calls, now }: PlanBuysOptions): PlannedBuy[] {
  const buys = callers.flatMap((caller) => {
    const { payout, index } = caller;
    if (payout === null || caller.endedCallCount === 0) return [];
    const called = calls
      .filter((call) => call.caller.index === index && call.endedAt === null)
      .map(({ token, calledAt }) => ({ token, at: calledAt - HOUR / 2 }));
    const others = Array.from({ length: 1 + (hashText(`buys ${index}`) % MOST_BUYS) }, (_, number) => ({
      token: callable[hashText(`bought ${index} ${number}`) % callable.length],
      at: Math.floor(now - HOUR - hashToUnit(`bought at ${index} ${number}`) * (BOUGHT_SINCE_MS - HOUR)),
    }));
    return [...called, ...others].flatMap(({ token, at }) =>
      token ? planBuy({ buyer: payout, token, at }) : [],
    );
  });
  return buys.sort((one, other) => one.at - other.at);
}

function planBuy({ buyer, token, at }: { buyer: Keypair; token: MarketToken; at: number }): PlannedBuy[] {
  const [solPrice, price] = [priceAt(WRAPPED_SOL_MINT, at), priceAt(token.mint, at)];
  if (solPrice === null || price === null) return [];
  const lamports = Math.round((0.05 + hashToUnit(`paid ${token.mint} ${at}`) * 0.9) * SOL);
  const amount = Math.floor(((lamports / SOL) * solPrice * 10 ** token.decimals) / price);
  return [{ buyer, token, lamports: BigInt(lamports), amount: BigInt(amount), at }];
}

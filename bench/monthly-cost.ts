// Computes what a month costs, with the other services' plans. bench/write-cost.ts writes it into docs/DEPLOY.md.
import { ASSUMPTIONS, billOf, usageOf, type Measured } from './cost.ts';
import { table } from './markdown.ts';

/** In USD, looked up on 22 November 2026. docs/DEPLOY.md names the pages. */
const PRICES = {
  /** X, per user that is read at a sign-in. */
  xUserRead: 0.01,
  /** X, per post without a link. */
  xPost: 0.015,
  heliusDeveloper: 49,
  quickNodeBuild: 49,
  jupiterDeveloper: 25,
} as const;

/** Helius' free plan. */
const FREE_RPC_CREDITS = 1_000_000;
const FREE_JUPITER_REQUESTS_PER_MINUTE = 60;

/** Estimates, unlike those in bench/cost.ts not derived from measurements. */
const ESTIMATES = {
  /** A session lasts 30 days, so most visits don't sign in. */
  signInsPerPersonAndMonth: 0.5,
  /** The share of ended calls that are posted through X's API instead of X's own form, which is free. */
  postedShare: 0.1,
  /** The share of visitors who pay a caller in a month. */
  payingShare: 0.01,
  /** Standard requests of the cron to each RPC endpoint. */
  rpcCreditsPerMinute: 6,
  /** A payment is looked up about twenty times, for ten credits each. */
  rpcCreditsPerPayment: 200,
  /** Recent buys and balances on the dashboard. */
  rpcCreditsPerCallerVisit: 50,
  /** Searches and prices when a caller opens or ends calls. */
  jupiterRequestsPerCallerVisit: 5,
  mintsPerCaller: 0.1,
  mintsPerRequest: 50,
} as const;

const MONTH_MINUTES = 30 * 24 * 60;
const VISITORS = [1_000, 100_000, 1_000_000];

/** A free plan must suffice with half of its volume, or with the busiest hour's rate. */
function otherServices(visitors: number): Readonly<Record<string, number>> {
  const callers = visitors * ASSUMPTIONS.callerShare;
  const callerVisits = callers * ASSUMPTIONS.visitsPerMonth;
  const calls = callers * ASSUMPTIONS.callsPerCallerAndDay * 30;
  const rpcCredits =
    ESTIMATES.rpcCreditsPerMinute * MONTH_MINUTES +
    visitors * ESTIMATES.payingShare * ESTIMATES.rpcCreditsPerPayment +
    callerVisits * ESTIMATES.rpcCreditsPerCallerVisit;
  const refreshes = Math.ceil((callers * ESTIMATES.mintsPerCaller) / ESTIMATES.mintsPerRequest);
  const jupiterPerMinute =
    refreshes + ((callerVisits * ESTIMATES.jupiterRequestsPerCallerVisit) / MONTH_MINUTES) * ASSUMPTIONS.peak;
  const signIns = visitors * ASSUMPTIONS.signedInShare * ESTIMATES.signInsPerPersonAndMonth;
  return {
    'X, sign-ins': signIns * PRICES.xUserRead,
    'X, posts': calls * ESTIMATES.postedShare * PRICES.xPost,
    'Helius (RPC)': rpcCredits > FREE_RPC_CREDITS / 2 ? PRICES.heliusDeveloper : 0,
    'QuickNode (second RPC)': PRICES.quickNodeBuild,
    Jupiter: jupiterPerMinute > FREE_JUPITER_REQUESTS_PER_MINUTE / 2 ? PRICES.jupiterDeveloper : 0,
    'Telegram, DexScreener': 0,
  };
}

/** The table of docs/DEPLOY.md. */
export function describeMonthlyCost(measured: Measured): string {
  const columns = VISITORS.map((visitors) => ({
    Cloudflare: sumOf(billOf(usageOf(visitors, measured))),
    ...otherServices(visitors),
  }));
  const names = Object.keys(columns[0] ?? {}) as (keyof (typeof columns)[number])[];
  const dollars = (amount: number) => Math.round(amount).toLocaleString('en-US');
  return table(
    ['USD per month', ...VISITORS.map((visitors) => `${visitors.toLocaleString('en-US')} visitors`)],
    [
      ...names.map((name) => [name, ...columns.map((column) => dollars(column[name]))]),
      ['**total**', ...columns.map((column) => `**${dollars(sumOf(column))}**`)],
    ],
  );
}

const sumOf = (lines: Readonly<Record<string, number>>) =>
  Object.values(lines).reduce((sum, line) => sum + line, 0);

import { MEASURED_COSTS, type Cost } from '#test/measured-costs.ts';

// Computes the tables of docs/SCALE.md: what Cloudflare does and costs in a month. The assumptions are explained there.

const SECONDS = 30 * 24 * 60 * 60;
const MINUTES = SECONDS / 60;
const DAYS = 30;
/** The busiest hour has this many times the average. */
export const PEAK = 4;
const MILLION = 1e6;

/** How often each thing happens per visitor and month. */
const VISITS = 3;
const RATES = {
  pages: 4 * VISITS,
  images: 20 * VISITS,
  publicPolls: 10 * VISITS,
  /** Dashboards of signed-in people that are open for five minutes. */
  dashboards: 0.1 * VISITS,
  signIns: 0.1 / 2,
  /** As many calls are updated, and as many are ended. */
  calls: 0.01 * 6,
  /** Tokens with active calls. */
  tokens: 0.01 / 10,
} as const;
type Rate = keyof typeof RATES;
const DASHBOARD_MINUTES = 5;
const FOLLOWERS_TOLD = 20;
const MESSAGES_PER_CALL = 3 * FOLLOWERS_TOLD;

/** Counted once, without a test. An end includes its marks, and each event its part of the log. */
const COUNTED = {
  openedCall: { read: 68, written: 42, queries: 30 },
  updatedCall: { read: 54, written: 14, queries: 18 },
  endedCall: { read: 133, written: 59, queries: 44 },
  signIn: { read: 17, written: 14, queries: 17 },
} as const satisfies Record<string, Cost>;

/** Sessions, access and prices of three calls every ten seconds (`many-pages.test.ts`). A hub's statements are for all its dashboards. */
const DASHBOARD_MINUTE = { read: 72, written: 0, queries: 0 };
const HUB_MINUTE = { read: 0, written: 0, queries: 18 };

/** Not measured. */
const ESTIMATED = {
  message: { read: 12, written: 0, queries: 0.02 },
  /** Closing prices every five minutes, most of which are deleted after two days. */
  tokenMinute: { read: 2, written: 0.8, queries: 0.05 },
} as const satisfies Record<string, Cost>;

/** The cache asks for the busiest addresses every ten seconds. A share of the requests is for other addresses. */
const BUSY_MISSES = (200 * SECONDS) / 10;
const OTHERS = 0.2;

/** The world of the measurement has three calls for each row of the other tables. */
const CALLS_PER_THOUSAND = 3_000;
/** With more rows, an export and a round of the statistics' repair take longer than a day. */
const MAX_THOUSANDS = 3_000;

/** CPU ms of a request to the worker: the mean of a measurement on 23 November 2026. */
const CPU_MS = 2.3;
/** One request in 20 is measured. */
const MEASURED_SHARE = 1 / 20;
const CRON_POINTS = 10;
/** A shard of prices is written if one of its prices has changed. */
const PRICE_SHARDS = 16;
const LIVE_HUBS = 8;
const OBJECT_GB = 0.128;

/** A month's use. */
export interface Use {
  readonly requests: number;
  readonly handled: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  readonly queries: number;
  readonly cpuMs: number;
  readonly calls: number;
  readonly messages: number;
  /** With active calls. */
  readonly tokens: number;
  readonly dashboardMinutes: number;
  readonly kvWrites: number;
  readonly kvReads: number;
  readonly objectRequests: number;
  readonly objectGbSeconds: number;
  readonly dataPoints: number;
  /** After a year. */
  readonly gigabytes: number;
}

/** @param visitors per month */
export function useOf(visitors: number): Use {
  const of = (rate: Rate) => RATES[rate] * visitors;
  const calls = of('calls');
  const messages = calls * MESSAGES_PER_CALL;
  const cacheable = of('pages') + of('images') + of('publicPolls');
  const missedShare = OTHERS + Math.min(1 - OTHERS, BUSY_MISSES / cacheable);
  const [pages, polls] = [of('pages') * missedShare, of('publicPolls') * missedShare];
  // A page view each, a socket and a list for a dashboard, and the redirects of a sign-in.
  const own = of('pages') + of('dashboards') * 2 + of('signIns') * 3;
  const handled = cacheable * missedShare + own;
  const dashboardMinutes = of('dashboards') * DASHBOARD_MINUTES;
  // A hub with an open dashboard doesn't sleep.
  const awakeHubs = LIVE_HUBS * (1 - Math.exp(-dashboardMinutes / MINUTES / LIVE_HUBS));
  const tokenMinutes = of('tokens') * MINUTES;
  const thousands = Math.min((calls * 12) / CALLS_PER_THOUSAND, MAX_THOUSANDS);
  const costs: readonly (readonly [number, Cost])[] = [
    [DAYS * 24, MEASURED_COSTS.idle.hour],
    [DAYS, MEASURED_COSTS.idle.night],
    [DAYS * thousands, MEASURED_COSTS.idle.nightPerThousand],
    [pages / 2, MEASURED_COSTS.directoryPage],
    [pages / 2, MEASURED_COSTS.callerPage],
    [polls, MEASURED_COSTS.directoryPoll],
    [of('pages'), MEASURED_COSTS.pageView],
    [of('dashboards'), MEASURED_COSTS.followedPoll],
    [dashboardMinutes, DASHBOARD_MINUTE],
    [awakeHubs * MINUTES, HUB_MINUTE],
    [tokenMinutes, ESTIMATED.tokenMinute],
    [of('signIns'), COUNTED.signIn],
    [calls, COUNTED.openedCall],
    [calls, COUNTED.updatedCall],
    [calls, COUNTED.endedCall],
    [messages, ESTIMATED.message],
  ];
  const total = (kind: keyof Cost) => costs.reduce((sum, [times, cost]) => sum + times * cost[kind], 0);
  return {
    requests: cacheable + own,
    handled,
    rowsRead: total('read'),
    rowsWritten: total('written'),
    queries: total('queries'),
    cpuMs: handled * CPU_MS,
    calls,
    messages,
    tokens: of('tokens'),
    dashboardMinutes,
    kvWrites: Math.min(PRICE_SHARDS, of('tokens')) * MINUTES,
    kvReads: polls,
    objectRequests: messages + of('dashboards') * 2 + calls * 3 * LIVE_HUBS + MINUTES * CRON_POINTS,
    objectGbSeconds: awakeHubs * SECONDS * OBJECT_GB,
    dataPoints: of('pages') + handled * MEASURED_SHARE + MINUTES * CRON_POINTS,
    gigabytes: (calls * 12 * MEASURED_COSTS.bytesPerCall.inYear) / 1e9,
  };
}

interface Price {
  readonly included: number;
  /** USD per million. */
  readonly perMillion: number;
}

/** Cloudflare's prices of November 2026. */
const PRICES: Readonly<Record<string, Price & { readonly of: keyof Use }>> = {
  requests: { of: 'requests', included: 10 * MILLION, perMillion: 0.3 },
  'CPU time': { of: 'cpuMs', included: 30 * MILLION, perMillion: 0.02 },
  'D1 rows read': { of: 'rowsRead', included: 25_000 * MILLION, perMillion: 0.001 },
  'D1 rows written': { of: 'rowsWritten', included: 50 * MILLION, perMillion: 1 },
  'D1 storage': { of: 'gigabytes', included: 5, perMillion: 0.75 * MILLION },
  'KV reads': { of: 'kvReads', included: 10 * MILLION, perMillion: 0.5 },
  'KV writes': { of: 'kvWrites', included: MILLION, perMillion: 5 },
  'Durable Objects, requests': { of: 'objectRequests', included: MILLION, perMillion: 0.15 },
  'Durable Objects, duration': { of: 'objectGbSeconds', included: 400_000, perMillion: 12.5 },
  'Analytics Engine': { of: 'dataPoints', included: 10 * MILLION, perMillion: 0.25 },
};
const PLAN_USD = 5;
const DATABASE_GB = 10;

const priceOf = (use: Use, { of, included, perMillion }: Price & { readonly of: keyof Use }) =>
  (Math.max(0, use[of] - included) / MILLION) * perMillion;

export const VISITORS = [100_000, MILLION, 10 * MILLION, 100 * MILLION] as const;
const whole = (value: number) => Math.round(value).toLocaleString('en-US');
/** Three significant digits. */
const short = (value: number) =>
  Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 1 });

function table(head: string, rows: Readonly<Record<string, (use: Use) => string>>): string {
  const uses = VISITORS.map(useOf);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const lines = Object.entries(rows).map(([name, cell]) => line([name, ...uses.map(cell)]));
  return [line([head, ...VISITORS.map(whole)]), `|${'---|'.repeat(VISITORS.length + 1)}`, ...lines].join(
    '\n',
  );
}

const perSecond =
  (of: keyof Use, times = 1) =>
  (use: Use) =>
    ((use[of] * times * PEAK) / SECONDS).toLocaleString('en-US', { maximumFractionDigits: 1 });
const totalOf = (use: Use) =>
  Object.values(PRICES).reduce((total, price) => total + priceOf(use, price), PLAN_USD);

/** The tables in their order. docs/SCALE.md must contain them. */
export const renderTables = (): readonly string[] => [
  table('visitors per month', {
    requests: ({ requests }) => short(requests),
    'handled by the worker': ({ handled }) => short(handled),
    'rows read': ({ rowsRead }) => short(rowsRead),
    'rows written': ({ rowsWritten }) => short(rowsWritten),
    'CPU ms': ({ cpuMs }) => short(cpuMs),
    'calls made': ({ calls }) => short(calls),
    'Telegram messages': ({ messages }) => short(messages),
    'GB after a year': ({ gigabytes }) => short(gigabytes),
  }),
  table('USD per month', {
    'Workers plan': () => String(PLAN_USD),
    ...Object.fromEntries(
      Object.entries(PRICES).map(([name, price]) => [name, (use: Use) => whole(priceOf(use, price))]),
    ),
    '**total**': (use) => `**${whole(totalOf(use))}**`,
  }),
  table('visitors per month', {
    'months until a database of 10 GB is full': ({ gigabytes }) => short(DATABASE_GB / (gigabytes / 12)),
    'worker runs per second in the busiest hour': perSecond('handled'),
    'D1 queries per second in the busiest hour': perSecond('queries'),
    'calls opened or ended per second in the busiest hour': perSecond('calls', 2),
    'Telegram messages per second in the busiest hour': perSecond('messages'),
  }),
];

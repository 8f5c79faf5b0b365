// Computes the monthly bill and the first limits from results.json. bench/write-cost.ts writes them into the documentation.
import { PRICE_SHARDS } from '#schema/constants.ts';
import { table } from './markdown.ts';
import { FOLLOWED } from './support/people.ts';
import type { Result, Results } from './results.ts';

const MONTH_DAYS = 30;
const MONTH_SECONDS = MONTH_DAYS * 24 * 60 * 60;
const MONTH_MINUTES = MONTH_SECONDS / 60;
const MILLION = 1e6;
const GB = 1e9;

/** In USD per month, from Cloudflare's pages of November 2026. Included amounts are per account. */
export const PRICES = {
  workersPlan: 5,
  requests: { included: 10 * MILLION, perMillion: 0.3 },
  cpuMs: { included: 30 * MILLION, perMillion: 0.02 },
  rowsRead: { included: 25_000 * MILLION, perMillion: 0.001 },
  rowsWritten: { included: 50 * MILLION, perMillion: 1 },
  /** Per GB and month. */
  databaseGb: { included: 5, each: 0.75 },
  kvReads: { included: 10 * MILLION, perMillion: 0.5 },
  kvWrites: { included: MILLION, perMillion: 5 },
  objectRequests: { included: MILLION, perMillion: 0.15 },
  /** Workers Analytics Engine. Cloudflare doesn't charge for it yet. */
  pageViews: { included: 10 * MILLION, perMillion: 0.25 },
} as const;

/** A D1 database holds at most this much. */
const DATABASE_MAX_GB = 10;

/** Visitors' behaviour. Change these numbers to compute another product's costs. */
export const ASSUMPTIONS = {
  visitsPerMonth: 3,
  pagesPerVisit: 4,
  minutesPerVisit: 5,
  /** Half of the pages are callers or calls. */
  profileShare: 0.5,
  /** The profile, its statistics and its calls. */
  requestsPerProfile: 3,
  /** Browsers keep images for a day. */
  imagesPerVisit: 20,
  /** Lists and prices that a page fetches again while it's visible. */
  publicPollsPerMinute: 2,
  /** The calls of followed callers, with their prices, every ten seconds. */
  privatePollsPerMinute: 6,
  signedInShare: 0.1,
  followedCallers: 5,
  callerShare: 0.01,
  callsPerCallerAndDay: 0.2,
  updatesPerCall: 1,
  /** Followers of a caller who get Telegram messages. */
  chatsPerCaller: 20,
  /** Addresses that are requested all the time. The cache asks the worker for each of them every ten seconds. */
  hotAddresses: 200,
  hotSeconds: 10,
  /** The share of other addresses, such as a profile that is visited once an hour: these miss the cache. */
  rareShare: 0.2,
  monthsOfData: 12,
  /** The busiest hour, as a multiple of the average. */
  peak: 4,
} as const;

type Assumptions = { readonly [Name in keyof typeof ASSUMPTIONS]: number };

/** The work of one request or of one run of the cron. */
export interface Unit {
  readonly queries: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  readonly kvReads: number;
  readonly cpuMs: number;
}

export interface Measured {
  readonly page: Unit;
  readonly list: Unit;
  readonly profile: Unit;
  /** The calls of followed callers. The rows are those of one followed caller. */
  readonly followedPoll: Unit;
  readonly session: Unit;
  readonly openCall: Unit;
  readonly updateCall: Unit;
  readonly endCall: Unit;
  readonly cron: Unit;
  /** The number of callers in the world in which the cron was measured. */
  readonly cronCallers: number;
  /** The size of an ended call with its quotes, events and indexes. */
  readonly bytesPerCall: number;
  /** The size of a caller with their user and indexes. */
  readonly bytesPerCaller: number;
}

export interface Usage {
  readonly requests: number;
  /** Requests that the worker answers, and runs of the cron. */
  readonly runs: number;
  readonly cpuMs: number;
  readonly queries: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  readonly kvReads: number;
  readonly kvWrites: number;
  readonly objectRequests: number;
  readonly pageViews: number;
  readonly messages: number;
  readonly calls: number;
  readonly databaseGb: number;
}

interface Work {
  readonly requests: number;
  readonly runs: number;
  readonly unit: Unit;
}

/** Each price shard is written at most once a minute. */
const KV_WRITES = PRICE_SHARDS * MONTH_MINUTES;
const NO_DATABASE: Unit = { queries: 0, rowsRead: 0, rowsWritten: 0, kvReads: 0, cpuMs: 0.5 };
/** In the message sender's own database: the message with three indexes, its outcome, a counter and the deletion. */
const ROWS_PER_MESSAGE = 8;

const withRows = (unit: Unit, factor: number): Unit => ({ ...unit, rowsRead: unit.rowsRead * factor });

/** The cron's rows depend on the number of tokens with active calls, and that on the number of callers. */
function cronOf({ cron, cronCallers }: Measured, callers: number): Unit {
  const factor = callers / cronCallers;
  return {
    ...cron,
    queries: cron.queries * factor,
    rowsRead: cron.rowsRead * factor,
    rowsWritten: cron.rowsWritten * factor,
  };
}

/** Computes what happens in a month. */
export function usageOf(visitors: number, measured: Measured, assume: Assumptions = ASSUMPTIONS): Usage {
  const visits = visitors * assume.visitsPerMonth;
  const pages = visits * assume.pagesPerVisit;
  const minutes = visits * assume.minutesPerVisit;
  const laterPages = pages - visits;
  const calls = visitors * assume.callerShare * assume.callsPerCallerAndDay * MONTH_DAYS;
  const messages = calls * (2 + assume.updatesPerCall) * assume.chatsPerCaller;

  const hotRuns = assume.hotAddresses * (MONTH_SECONDS / assume.hotSeconds);
  const cached = (requests: number, unit: Unit): Work => {
    const rare = requests * assume.rareShare;
    return { requests, runs: rare + Math.min(requests - rare, hotRuns), unit };
  };
  const polled = (requests: number, unit: Unit): Work => ({
    requests,
    runs: Math.min(requests, hotRuns),
    unit,
  });
  const direct = (requests: number, unit: Unit): Work => ({ requests, runs: requests, unit });

  const work: readonly Work[] = [
    cached(visits, measured.page),
    cached(laterPages * (1 - assume.profileShare), measured.list),
    direct(laterPages * assume.profileShare * assume.requestsPerProfile, measured.profile),
    polled(minutes * assume.publicPollsPerMinute, measured.list),
    direct(
      minutes * assume.signedInShare * assume.privatePollsPerMinute,
      withRows(measured.followedPoll, assume.followedCallers),
    ),
    direct(visits * assume.signedInShare, measured.session),
    polled(visits * assume.imagesPerVisit, NO_DATABASE),
    direct(pages, NO_DATABASE),
    direct(calls, measured.openCall),
    direct(calls * assume.updatesPerCall, measured.updateCall),
    direct(calls, measured.endCall),
    { requests: 0, runs: MONTH_MINUTES, unit: cronOf(measured, visitors * assume.callerShare) },
  ];
  const sum = (value: (work: Work) => number) => work.reduce((all, each) => all + value(each), 0);
  return {
    requests: sum(({ requests }) => requests),
    runs: sum(({ runs }) => runs),
    cpuMs: sum(({ runs, unit }) => runs * unit.cpuMs),
    queries: sum(({ runs, unit }) => runs * unit.queries),
    rowsRead: sum(({ runs, unit }) => runs * unit.rowsRead),
    rowsWritten: sum(({ runs, unit }) => runs * unit.rowsWritten) + messages * ROWS_PER_MESSAGE,
    kvReads: sum(({ runs, unit }) => runs * unit.kvReads),
    kvWrites: KV_WRITES,
    objectRequests: messages,
    pageViews: pages,
    messages,
    calls,
    databaseGb:
      (calls * assume.monthsOfData * measured.bytesPerCall +
        visitors * assume.callerShare * measured.bytesPerCaller) /
      GB,
  };
}

interface Tariff {
  readonly included: number;
  readonly perMillion: number;
}

const charge = (amount: number, { included, perMillion }: Tariff) =>
  (Math.max(0, amount - included) / MILLION) * perMillion;

/** The lines of the bill in USD. */
export function billOf(usage: Usage): Readonly<Record<string, number>> {
  return {
    'Workers plan': PRICES.workersPlan,
    requests: charge(usage.requests, PRICES.requests),
    'CPU time': charge(usage.cpuMs, PRICES.cpuMs),
    'D1 rows read': charge(usage.rowsRead, PRICES.rowsRead),
    'D1 rows written': charge(usage.rowsWritten, PRICES.rowsWritten),
    'D1 storage': Math.max(0, usage.databaseGb - PRICES.databaseGb.included) * PRICES.databaseGb.each,
    KV: charge(usage.kvReads, PRICES.kvReads) + charge(usage.kvWrites, PRICES.kvWrites),
    'Durable Objects': charge(usage.objectRequests, PRICES.objectRequests),
    'page views': charge(usage.pageViews, PRICES.pageViews),
  };
}

/** Computes the figures of a month that show which limit is reached first. */
export function limitsOf(
  usage: Usage,
  measured: Measured,
  assume: Assumptions = ASSUMPTIONS,
): Readonly<Record<string, number>> {
  const perSecond = (amount: number) => (amount / MONTH_SECONDS) * assume.peak;
  return {
    'months until a database of 10 GB is full':
      (DATABASE_MAX_GB * GB) / (usage.calls * measured.bytesPerCall),
    'worker runs per second in the busiest hour': perSecond(usage.runs),
    'D1 queries per second in the busiest hour': perSecond(usage.queries),
    'calls opened or ended per second in the busiest hour': perSecond(2 * usage.calls),
    'Telegram messages per second in the busiest hour': perSecond(usage.messages),
  };
}

/** @throws Error if a part of the benchmark that the bill needs hasn't run */
export function measuredFrom({ parts }: Results): Measured {
  const results = Object.values(parts).flatMap(({ results }) => results);
  const find = (id: string): Result => {
    const found = results.find((result) => result.id === id);
    if (!found) throw new Error(`results.json has no "${id}": run "npm run bench"`);
    return found;
  };
  /** The CPU time is the one of a measured load of this kind, because single requests are too short to measure. */
  const unitOf = (id: string, load: string): Unit => {
    const { work } = find(id);
    if (!work) throw new Error(`"${id}" in results.json has no work`);
    return { ...work, cpuMs: find(`throughput.${load}.cpu`).value.median };
  };
  return {
    page: unitOf('reads.directory-page', 'page-miss'),
    list: unitOf('reads.directory-list', 'directory-miss'),
    profile: unitOf('reads.profile', 'profile-miss'),
    followedPoll: withRows(unitOf('reads.followed-calls', 'profile-miss'), 1 / FOLLOWED),
    session: unitOf('reads.session', 'one-query'),
    openCall: unitOf('calls.open', 'profile-miss'),
    updateCall: unitOf('calls.update', 'profile-miss'),
    endCall: unitOf('calls.end', 'profile-miss'),
    cron: unitOf('cron.run', 'page-miss'),
    cronCallers: parts['cron']?.callers ?? 1,
    bytesPerCall: find('size.bytes-per-call').value.median,
    bytesPerCaller: find('size.bytes-per-caller').value.median,
  };
}

const VISITORS = [10_000, 1_000_000, 100_000_000];
const round = (value: number) =>
  value < 10 ? value.toFixed(1) : value.toLocaleString('en-US', { maximumSignificantDigits: 3 });

/** The tables of docs/SCALE.md. */
export function describeCost(measured: Measured): string {
  const usages = VISITORS.map((visitors) => usageOf(visitors, measured));
  const bills = usages.map(billOf);
  const limits = usages.map((usage) => limitsOf(usage, measured));
  const head = (first: string) => [first, ...VISITORS.map((visitors) => visitors.toLocaleString('en-US'))];
  const rows = (columns: readonly Readonly<Record<string, number>>[], format: (value: number) => string) =>
    Object.keys(columns[0] ?? {}).map((name) => [
      name,
      ...columns.map((column) => format(column[name] ?? 0)),
    ]);
  const total = bills.map((bill) => Object.values(bill).reduce((sum, line) => sum + line, 0));
  const amounts = usages.map((usage) => ({
    requests: usage.requests,
    'answered by the worker': usage.runs,
    'rows read': usage.rowsRead,
    'rows written': usage.rowsWritten,
    'CPU ms': usage.cpuMs,
    'calls made': usage.calls,
    'Telegram messages': usage.messages,
    'GB after a year': usage.databaseGb,
  }));
  return [
    `Computed from results with ${measured.cronCallers.toLocaleString('en-US')} callers.`,
    table(head('visitors per month'), rows(amounts, round)),
    table(head('USD per month'), [
      ...rows(bills, (line) => Math.round(line).toLocaleString('en-US')),
      ['**total**', ...total.map((sum) => `**${Math.round(sum).toLocaleString('en-US')}**`)],
    ]),
    table(head('visitors per month'), rows(limits, round)),
  ].join('\n\n');
}

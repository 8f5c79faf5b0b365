import { describe, expect, it } from 'vitest';
import { billOf, limitsOf, usageOf, type Measured, type Unit, type Usage } from './cost.ts';

const unit = (rowsRead: number, rowsWritten = 0): Unit => ({
  queries: 1,
  rowsRead,
  rowsWritten,
  kvReads: 1,
  cpuMs: 2,
});

const measured: Measured = {
  page: unit(100),
  list: unit(50),
  profile: unit(10),
  followedPoll: unit(4),
  session: unit(2),
  openCall: unit(30, 20),
  updateCall: unit(20, 5),
  endCall: unit(25, 15),
  cron: unit(1),
  cronCallers: 100,
  bytesPerCall: 1_000,
  bytesPerCaller: 500,
};

const assume = {
  visitsPerMonth: 1,
  pagesPerVisit: 2,
  minutesPerVisit: 1,
  profileShare: 0.5,
  requestsPerProfile: 2,
  imagesPerVisit: 2,
  publicPollsPerMinute: 1,
  privatePollsPerMinute: 2,
  signedInShare: 0.5,
  followedCallers: 5,
  callerShare: 0.1,
  callsPerCallerAndDay: 0.1,
  updatesPerCall: 1,
  chatsPerCaller: 10,
  hotAddresses: 1,
  hotSeconds: 1,
  rareShare: 0.5,
  monthsOfData: 10,
  peak: 2,
};

describe('the usage of a month', () => {
  // 1,000 visits with 2,000 pages, 100 callers with 300 calls, 43,200 minutes.
  const usage = usageOf(1_000, measured, assume);

  it('counts every request', () => {
    // Pages, lists, profiles, public and private polls, sessions, images, page views, and three requests per call.
    expect(usage.requests).toBe(1_000 + 500 + 1_000 + 1_000 + 1_000 + 500 + 2_000 + 2_000 + 900);
    expect(usage.runs).toBe(9_900 + 43_200);
  });

  it('multiplies each run by its queries and rows', () => {
    // Images and page views need no query.
    expect(usage.queries).toBe(usage.runs - 2_000 - 2_000);
    expect(usage.rowsRead).toBe(
      100_000 + 25_000 + 10_000 + 50_000 + 20_000 + 1_000 + 9_000 + 6_000 + 7_500 + 43_200,
    );
    // 40 rows per call, and 8 for each of its three messages to ten chats.
    expect(usage.rowsWritten).toBe(300 * 40 + 300 * 3 * 10 * 8);
  });

  it('stores calls of ten months, and callers', () => {
    expect(usage.databaseGb).toBeCloseTo((300 * 10 * 1_000 + 100 * 500) / 1e9, 12);
  });

  it('needs more for the cron if there are more callers', () => {
    const twice = usageOf(1_000, { ...measured, cronCallers: 50 }, assume);
    expect(twice.rowsRead - usage.rowsRead).toBe(43_200);
  });

  it('runs the worker for a cached address at most once per interval', () => {
    // 100 intervals per month. Half of the pages and lists are rare addresses, which always miss.
    const cached = usageOf(1_000, measured, { ...assume, hotSeconds: 25_920 });
    const [pages, lists, polls, images] = [500 + 100, 250 + 100, 100, 100];
    const others = 1_000 + 1_000 + 500 + 2_000 + 900 + 43_200;
    expect(cached.runs).toBe(pages + lists + polls + images + others);
    expect(cached.requests).toBe(usage.requests);
  });
});

const MILLION = 1e6;
const busy: Usage = {
  requests: 30 * MILLION,
  runs: 5_184_000,
  cpuMs: 130 * MILLION,
  queries: 2_592_000 * 150,
  rowsRead: 26_000 * MILLION,
  rowsWritten: 60 * MILLION,
  kvReads: 12 * MILLION,
  kvWrites: 2 * MILLION,
  objectRequests: 3 * MILLION,
  pageViews: 20 * MILLION,
  messages: 3 * MILLION,
  calls: 2_592_000,
  databaseGb: 15,
};

describe('the bill of a month', () => {
  it('charges what exceeds the included amounts', () => {
    expect(billOf(busy)).toEqual({
      'Workers plan': 5,
      requests: 20 * 0.3,
      'CPU time': 100 * 0.02,
      'D1 rows read': 1_000 * 0.001,
      'D1 rows written': 10,
      'D1 storage': 10 * 0.75,
      KV: 2 * 0.5 + 5,
      'Durable Objects': 2 * 0.15,
      'page views': 10 * 0.25,
    });
  });

  it('is only the plan if everything is included', () => {
    const lines = Object.values(billOf(usageOf(10, measured, assume)));
    expect(lines.reduce((sum, line) => sum + line, 0)).toBe(5);
  });
});

it('the limits are averages times the peak, and months until a database is full', () => {
  const limits = Object.values(limitsOf(busy, measured, assume));
  // 10 GB at 1,000 bytes per call. Then per second: 2 runs, 150 queries, 2 opened or ended calls, and messages, all doubled.
  expect(limits[0]).toBeCloseTo(10e9 / 2_592_000_000, 9);
  expect(limits[1]).toBe(4);
  expect(limits[2]).toBe(300);
  expect(limits[3]).toBe(4);
  expect(limits[4]).toBeCloseTo((3 * MILLION * 2) / 2_592_000, 9);
});

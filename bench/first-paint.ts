// Measures what a phone on a slow network sees and feels: first and largest paint, blocking time and layout shifts, with
// Lighthouse's mobile settings. The floor is the same page without scripts, from the same server in the same run.
import { chromium, type Browser, type Page } from '@playwright/test';
import { findChromium } from '#dev/find-chromium.ts';
import { serveLikeTheEdge } from './edge-server.ts';
import { performanceScore, type PaintFigures } from './lighthouse-score.ts';
import { spreadOf } from './results.ts';
import { reportResults } from './support/report-results.ts';

const productUrl = process.argv[2] ?? 'http://localhost:8787';
const ROUNDS = Number(process.argv[3] ?? 5);
/** Lighthouse's "slow 4G" as it's applied to each request: 150 ms and 1.6 Mbit/s, corrected for what requests cost. */
const NETWORK = { offline: false, latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 86_400 };
const CPU_SLOWDOWN = 4;
/** Lighthouse's phone. */
const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
};
/** A page is done after this long without a long task or a request. */
const QUIET_MS = 3_000;
const LONG_TASK_MS = 50;

const MAX_BLOCKING_MS = 50;
const MAX_PAINT_RATIO = 1.15;
const MAX_SCORE_DIFFERENCE = 2;

interface Seen {
  largestPaint: number;
  shift: number;
  tasks: { start: number; duration: number }[];
  lastAt: number;
}

declare global {
  interface Window {
    seen: Seen;
  }
}

/** Runs in the page, before its own scripts. */
function observe(): void {
  const seen: Seen = { largestPaint: 0, shift: 0, tasks: [], lastAt: 0 };
  window.seen = seen;
  const watch = (type: string, add: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true });
  watch('largest-contentful-paint', ({ startTime }) => (seen.largestPaint = startTime));
  watch('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) seen.shift += value;
  });
  watch('longtask', ({ startTime: start, duration }) => {
    seen.tasks.push({ start, duration });
    seen.lastAt = performance.now();
  });
  watch('resource', () => (seen.lastAt = performance.now()));
}

async function waitUntilQuiet(page: Page): Promise<void> {
  await page.waitForFunction((quietMs) => performance.now() - window.seen.lastAt > quietMs, QUIET_MS, {
    polling: 500,
  });
}

async function load(browser: Browser, url: string): Promise<PaintFigures> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', NETWORK);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.addInitScript(observe);
    await page.goto(url, { waitUntil: 'load', timeout: 120_000 });
    await waitUntilQuiet(page);
    const { seen, firstPaint } = await page.evaluate(() => ({
      seen: window.seen,
      firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    }));
    const blocking = seen.tasks.map(({ start, duration }) => {
      const lasted = start + duration - Math.max(start, firstPaint);
      return Math.max(0, lasted - LONG_TASK_MS);
    });
    return {
      firstPaint,
      largestPaint: seen.largestPaint,
      blocking: blocking.reduce((sum, ms) => sum + ms, 0),
      shift: seen.shift,
    };
  } finally {
    await context.close();
  }
}

async function readJson<Value>(path: string): Promise<Value> {
  return (await (await fetch(`${productUrl}${path}`)).json()) as Value;
}

/** The four pages. The caller is the one with the most calls on the directory's first page. */
async function findPages(): Promise<readonly string[]> {
  const callers = await readJson<{ id: string; endedCalls: number }[]>('/api/callers');
  const [busiest] = callers.toSorted((one, other) => other.endedCalls - one.endedCalls);
  const [ended] = await readJson<{ id: string }[]>('/api/token-calls/ended');
  if (!busiest || !ended) throw new Error(`${productUrl} has no callers or no ended calls.`);
  return ['/', '/recent-calls', `/caller/${busiest.id}`, `/call/${ended.id}`];
}

const rounded = (value: number) => (value < 1 ? Number(value.toFixed(4)) : Math.round(value));

/** Median (lowest to highest). */
function summarize(values: readonly number[]): string {
  const { min, median, max } = spreadOf(values);
  return `${rounded(median)} (${rounded(min)}–${rounded(max)})`;
}

function summarizeAll(runs: readonly PaintFigures[]) {
  const of = (name: keyof PaintFigures) => summarize(runs.map((run) => run[name]));
  return {
    'first paint ms': of('firstPaint'),
    'largest paint ms': of('largestPaint'),
    'blocking ms': of('blocking'),
    shift: of('shift'),
    score: summarize(runs.map(performanceScore)),
  };
}

const edge = await serveLikeTheEdge(productUrl);
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
});
let isMet = true;
try {
  const table: Record<string, Record<string, string | number>> = {};
  const pages: object[] = [];
  for (const path of await findPages()) {
    const runs: PaintFigures[] = [];
    const floors: PaintFigures[] = [];
    await load(browser, `${edge.url}${path}`);
    for (let round = 0; round < ROUNDS; round++) {
      runs.push(await load(browser, `${edge.url}${path}`));
      floors.push(await load(browser, edge.floorOf(path)));
    }
    const of = (all: readonly PaintFigures[], name: keyof PaintFigures) =>
      spreadOf(all.map((run) => run[name])).median;
    const ratio = of(runs, 'largestPaint') / of(floors, 'largestPaint');
    const difference =
      spreadOf(runs.map(performanceScore)).median - spreadOf(floors.map(performanceScore)).median;
    const name = path.replace(/\/[\w-]{36}$/, '/…');
    pages.push({
      name,
      runs,
      floors,
      scores: runs.map(performanceScore),
      floorScores: floors.map(performanceScore),
    });
    table[name] = { ...summarizeAll(runs), 'largest paint ratio': ratio.toFixed(2) };
    table[`${name} without scripts`] = summarizeAll(floors);
    const isBelow = of(runs, 'blocking') <= MAX_BLOCKING_MS && of(runs, 'shift') === 0;
    if (!isBelow || ratio > MAX_PAINT_RATIO || difference < -MAX_SCORE_DIFFERENCE) isMet = false;
  }
  reportResults({
    pages,
    bars: { paintRatio: MAX_PAINT_RATIO, blockingMs: MAX_BLOCKING_MS, scoreDifference: MAX_SCORE_DIFFERENCE },
  });
  console.table(table);
  console.log(
    `Goals: largest paint at most ${MAX_PAINT_RATIO} times the floor's, at most ${MAX_BLOCKING_MS} ms of blocking, no`,
    `shift, a score at most ${MAX_SCORE_DIFFERENCE} below the floor's: ${isMet ? 'met' : 'not met'}.`,
  );
} finally {
  await browser.close();
  edge.close();
}

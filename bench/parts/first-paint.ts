import { chromium, type Browser, type Page } from '@playwright/test';
import { findChromium } from '#dev/tests/find-chromium.ts';
import type { Part } from '../context.ts';
import { serveCompressed } from '../product/edge-server.ts';
import { findPages } from '../product/find-pages.ts';
import { summarize, type Result } from '../results.ts';

/** Lighthouse's "slow 4G" (150 ms, 1.6 Mbit/s) with its correction factors for throttling single requests. */
const NETWORK = { offline: false, latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 86_400 };
const CPU_SLOWDOWN = 4;
/** Lighthouse's phone. */
const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
};
/** A page counts as loaded after this time without a long task or a request. */
const QUIET_MS = 3_000;
const LONG_TASK_MS = 50;

const MAX_BLOCKING_MS = 50;
const MAX_PAINT_RATIO = 1.15;

interface PaintFigures {
  /** In ms after the navigation, like all times here. */
  readonly largestPaint: number;
  /** The sum of the times that long tasks take beyond 50 ms, from the first paint on. */
  readonly blocking: number;
  readonly shift: number;
  /** The compressed size of the page's scripts. */
  readonly scriptBytes: number;
}

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
    const { seen, firstPaint, scriptBytes } = await page.evaluate(() => ({
      seen: window.seen,
      scriptBytes: performance
        .getEntriesByType('resource')
        .map((entry) => entry as PerformanceResourceTiming)
        .filter(({ name }) => name.endsWith('.js'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    }));
    const blocking = seen.tasks.map(({ start, duration }) => {
      const lasted = start + duration - Math.max(start, firstPaint);
      return Math.max(0, lasted - LONG_TASK_MS);
    });
    return {
      scriptBytes,
      largestPaint: seen.largestPaint,
      blocking: blocking.reduce((sum, ms) => sum + ms, 0),
      shift: seen.shift,
    };
  } finally {
    await context.close();
  }
}

/**
 * Measures the pages on a phone with a slow network: largest paint, blocking time and layout shifts, with Lighthouse's
 * mobile settings. The floor is the same page without scripts, from the same server in the same run.
 */
export const measureFirstPaint: Part = async ({ openLocal, options: { rounds, isTiny } }) => {
  const { productUrl } = await openLocal();
  const edge = await serveCompressed(productUrl);
  const args = ['--no-sandbox', '--disable-gpu'];
  const browser = await chromium.launch({ executablePath: findChromium(), args });
  try {
    const pages = await findPages(productUrl);
    const results: Result[] = [];
    for (const path of isTiny ? pages.slice(0, 1) : pages) {
      const [runs, floors]: [PaintFigures[], PaintFigures[]] = [[], []];
      if (!isTiny) await load(browser, `${edge.url}${path}`);
      for (let round = 0; round < rounds; round++) {
        runs.push(await load(browser, `${edge.url}${path}`));
        floors.push(await load(browser, edge.floorOf(path)));
      }
      results.push(...describePage(path.replace(/\/\w{20}$/, '/…'), runs, floors));
    }
    return results;
  } finally {
    await browser.close();
    edge.close();
  }
};

function describePage(
  page: string,
  runs: readonly PaintFigures[],
  floors: readonly PaintFigures[],
): Result[] {
  const of = (figures: readonly PaintFigures[], name: keyof PaintFigures) =>
    summarize(figures.map((each) => each[name]));
  const [paint, blocking, shift] = [of(runs, 'largestPaint'), of(runs, 'blocking'), of(runs, 'shift')];
  const most = MAX_PAINT_RATIO * of(floors, 'largestPaint').median;
  return [
    {
      what: `${page}: largest paint`,
      value: paint,
      unit: 'ms',
      goal: `≤ ${Math.round(most)} (${MAX_PAINT_RATIO} × without scripts)`,
      isMet: paint.median <= most,
    },
    {
      what: `${page}: blocking time`,
      value: blocking,
      unit: 'ms',
      goal: `≤ ${MAX_BLOCKING_MS}`,
      isMet: blocking.median <= MAX_BLOCKING_MS,
    },
    { what: `${page}: layout shift`, value: shift, unit: '', goal: '0', isMet: shift.median === 0 },
    { what: `${page}: scripts`, value: of(runs, 'scriptBytes'), unit: 'bytes' },
  ];
}

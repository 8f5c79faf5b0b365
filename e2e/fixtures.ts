import { test as base, type BrowserContext, type Page } from '@playwright/test';
import { watchForProblems } from './problems.ts';
import { presetAutoApprove } from './steps.ts';

interface Fixtures {
  /** URLs whose requests this test expects to fail, besides `EXPECTED_FAILURES`. */
  refusedOnPurpose: RegExp | null;
  /** Whether the pages are animated. Drawing animations takes a tenth of the browser's CPU time. */
  hasMotion: boolean;
  /** Opens a browser context with its own cookies and wallet. */
  openBrowser: () => Promise<Page>;
}

/** Expected failures: the 401 for a signed-out visitor, and a missing picture. */
const EXPECTED_FAILURES = /\/api\/auth\/user$|\/x\/pictures\/missing_/;

/** Fails a test if `watchForProblems` reports a problem in one of its browsers. */
export const test = base.extend<Fixtures>({
  refusedOnPurpose: [null, { option: true }],
  hasMotion: [false, { option: true }],
  openBrowser: async (
    { browser, refusedOnPurpose, hasMotion, baseURL, viewport, isMobile, hasTouch, userAgent, colorScheme },
    use,
  ) => {
    const problems: string[] = [];
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext({
        ...(baseURL === undefined ? {} : { baseURL }),
        ...(userAgent === undefined ? {} : { userAgent }),
        viewport,
        isMobile,
        hasTouch,
        colorScheme,
        reducedMotion: hasMotion ? 'no-preference' : 'reduce',
      });
      contexts.push(context);
      await presetAutoApprove(context, true);
      const page = await context.newPage();
      watchForProblems(page, {
        productUrl: baseURL ?? '',
        isExpected: (url) => EXPECTED_FAILURES.test(url) || refusedOnPurpose?.test(url) === true,
        report: (problem) => problems.push(problem),
      });
      return page;
    });
    for (const context of contexts) await closeQuietly(context);
    if (problems.length > 0) throw new Error(`The browser reported:\n${problems.join('\n')}`);
  },
});

/** Closing the context makes the requests of running route handlers fail. Ignores those errors. */
async function closeQuietly(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
  await context.close();
}

export { expect } from '@playwright/test';

import { test as base, type BrowserContext, type Page } from '@playwright/test';
import { fingerprint } from '#schema/rules/text/fingerprint.ts';
import { e2eSettings } from './settings.ts';
import { watchForProblems } from './problems.ts';
import { presetAutoApprove } from './steps.ts';

interface Fixtures {
  /** URLs whose requests this test expects to fail, besides `EXPECTED_FAILURES`. */
  refusedOnPurpose: RegExp | null;
  /** True if the pages are animated. Drawing animations takes a tenth of the browser's CPU time. */
  hasMotion: boolean;
  /** Opens a browser context with its own cookies and wallet. `page` is the page of the first one. */
  openBrowser: () => Promise<Page>;
}

/** The image of @broken_pic_bo, which X doesn't have. */
const MISSING = fingerprint(`http://127.0.0.1:${e2eSettings.standInsPort}/x/pictures/missing_400x400.png`);
/** Expected failures: the 401 for a signed-out visitor, and missing images. */
const EXPECTED_FAILURES = new RegExp(
  `/api/auth/user$|/api/images/(?:callers/[^/]+|me)/(?:missing|${MISSING})$|/x/pictures/missing_`,
);

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
    let isOver = false;
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
        report: (problem) => {
          if (!isOver) problems.push(problem);
        },
      });
      return page;
    });
    // From here on, requests that the test stubbed reach the product.
    isOver = true;
    for (const context of contexts) await closeQuietly(context);
    if (problems.length > 0) throw new Error(`The browser reported:\n${problems.join('\n')}`);
  },
  page: async ({ openBrowser }, use) => use(await openBrowser()),
});

/** Closing the context makes the requests of running route handlers fail. Ignores those errors. */
async function closeQuietly(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
  await context.close();
}

export { expect } from '@playwright/test';

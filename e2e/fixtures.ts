import { test as base, type BrowserContext, type Page } from '@playwright/test';
import { watchForProblems } from './problems.ts';

interface Fixtures {
  /** Addresses that this test expects to fail, besides `EXPECTED_FAILURES`. */
  refusedOnPurpose: RegExp | null;
  /** Opens a browser context with its own cookies and wallet. */
  openBrowser: () => Promise<Page>;
}

/** Failures on purpose: the 401 that tells a page that no one is signed in, and a missing picture. */
const EXPECTED_FAILURES = /\/api\/auth\/user$|\/x\/pictures\/missing_/;

/** Fails a test when `watchForProblems` reports something in one of its browsers. */
export const test = base.extend<Fixtures>({
  refusedOnPurpose: [null, { option: true }],
  openBrowser: async (
    { browser, refusedOnPurpose, baseURL, viewport, isMobile, hasTouch, userAgent, colorScheme },
    use,
    testInfo,
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
      });
      contexts.push(context);
      // The Local Wallet signs at once instead of asking.
      await context.addInitScript(() => {
        // about:blank has no storage.
        if (location.protocol !== 'about:') localStorage.setItem('local-wallet:auto-approve', '1');
      });
      const page = await context.newPage();
      watchForProblems(page, {
        productUrl: baseURL ?? '',
        isExpected: (url) => EXPECTED_FAILURES.test(url) || refusedOnPurpose?.test(url) === true,
        report: (problem) => problems.push(problem),
      });
      return page;
    });
    await Promise.all(contexts.map((context) => context.close()));
    if (problems.length > 0 && testInfo.status === testInfo.expectedStatus) {
      throw new Error(`The browser reported:\n${problems.join('\n')}`);
    }
  },
});

export { expect } from '@playwright/test';

import { test as base, type BrowserContext, type Page } from '@playwright/test';
import { watchForProblems } from './problems.ts';

interface Fixtures {
  /** Addresses that this journey expects to be refused, beyond those that always may be. */
  refusedOnPurpose: RegExp | null;
  /** Opens a browser of somebody's own: cookies, wallet and all. */
  openBrowser: () => Promise<Page>;
}

/**
 * What a browser reports though nothing is wrong: the 401 by which the page learns, by the contract, that
 * nobody is signed in, and the one picture that is missing on purpose.
 */
const EXPECTED_FAILURES = /\/api\/auth\/user$|\/x\/pictures\/missing_/;

/**
 * Browsers that fail the test for whatever `watchForProblems` reports.
 */
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
        // An empty page has no storage.
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

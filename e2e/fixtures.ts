import { test as base, type BrowserContext, type Page } from '@playwright/test';

interface Fixtures {
  /** Opens a browser of somebody's own: cookies, wallet and all. */
  openBrowser: () => Promise<Page>;
}

/**
 * What a browser reports though nothing is wrong: the 401 by which the page learns, by the contract, that
 * nobody is signed in, and the one picture that is missing on purpose.
 */
const EXPECTED_FAILURES = /\/api\/auth\/user$|\/x\/pictures\/missing_/;

/**
 * Browsers that fail the test for a console error, an uncaught exception or a request of the product's
 * that failed.
 */
export const test = base.extend<Fixtures>({
  openBrowser: async ({ browser, baseURL, viewport, isMobile, hasTouch, userAgent, colorScheme }, use, testInfo) => {
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
      await context.addInitScript(() => localStorage.setItem('local-wallet:auto-approve', '1'));
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error' && !EXPECTED_FAILURES.test(message.location().url)) problems.push(`console: ${message.text()} (${message.location().url})`);
      });
      page.on('pageerror', (error) => problems.push(`uncaught: ${error.stack ?? error.message}`));
      page.on('requestfailed', (request) => {
        // Leaving a page cuts off what it was still asking.
        if (request.failure()?.errorText !== 'net::ERR_ABORTED') problems.push(`request: ${request.url()} ${request.failure()?.errorText}`);
      });
      return page;
    });
    await Promise.all(contexts.map((context) => context.close()));
    if (problems.length > 0 && testInfo.status === testInfo.expectedStatus) throw new Error(`The browser reported:\n${problems.join('\n')}`);
  },
});

export { expect } from '@playwright/test';

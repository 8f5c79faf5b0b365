import type { Page } from '@playwright/test';

export interface ProblemWatch {
  /** Where the product is: its failures count, those of others only where the page trips over them. */
  readonly productUrl: string;
  readonly isExpected: (url: string) => boolean;
  readonly report: (problem: string) => void;
}

/**
 * Reports what a browser has against a page: errors in the console, uncaught exceptions, rejections that nobody
 * handles, requests that failed, and answers of the product that say its own side failed.
 */
export function watchForProblems(page: Page, { productUrl, isExpected, report }: ProblemWatch): void {
  const reportUnlessExpected = (url: string, problem: string) => {
    if (!isExpected(url)) report(`${problem} (${url})`);
  };
  page.on('console', (message) => {
    if (message.type() === 'error') {
      reportUnlessExpected(message.location().url, `console: ${message.text()}`);
    }
  });
  // Chromium reports unhandled rejections here too.
  page.on('pageerror', (error) => report(`uncaught: ${error.stack ?? error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 500 && response.url().startsWith(productUrl)) {
      reportUnlessExpected(response.url(), `answer: ${response.status()}`);
    }
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed';
    // Leaving a page cuts off what it was still asking.
    if (reason !== 'net::ERR_ABORTED') reportUnlessExpected(request.url(), `request: ${reason}`);
  });
}

import type { Page } from '@playwright/test';

export interface ProblemWatch {
  /** Origin of the product. Error responses from other origins are ignored. */
  readonly productUrl: string;
  readonly isExpected: (url: string) => boolean;
  readonly report: (problem: string) => void;
}

/**
 * Reports console errors, uncaught exceptions, unhandled rejections, failed requests and error responses.
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
    // Leaving a page aborts its pending requests.
    if (reason !== 'net::ERR_ABORTED') reportUnlessExpected(request.url(), `request: ${reason}`);
  });
}

import type { ConsoleMessage, Page, Response } from '@playwright/test';

export interface ProblemWatch {
  /** Origin of the product. Error responses from other origins are ignored. */
  readonly productUrl: string;
  readonly isExpected: (url: string) => boolean;
  readonly report: (problem: string) => void;
}

/**
 * Every response of the product has these headers. Strict-Transport-Security is missing here, because Chromium
 * removes it from cached responses.
 */
const REQUIRED_HEADERS = [
  'Content-Security-Policy',
  'X-Content-Type-Options',
  'X-Frame-Options',
  'Referrer-Policy',
  'Permissions-Policy',
  'Cross-Origin-Opener-Policy',
  'Cross-Origin-Resource-Policy',
];

/**
 * Reports console errors, violations of the Content-Security-Policy, uncaught exceptions, unhandled rejections, failed
 * requests, error responses and responses without the security headers.
 */
export function watchForProblems(page: Page, { productUrl, isExpected, report }: ProblemWatch): void {
  const reportUnlessExpected = (url: string, problem: string) => {
    if (!isExpected(url)) report(`${problem} (${url})`);
  };
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    if (message.text().includes('Content Security Policy')) {
      report(`console: ${message.text()} (${message.location().url})`);
    } else {
      reportUnlessExpected(addressOf(message), `console: ${message.text()}`);
    }
  });
  // Chromium reports unhandled rejections here too.
  page.on('pageerror', (error) => report(`uncaught: ${error.stack ?? error.message}`));
  page.on('response', async (response) => {
    if (!response.url().startsWith(productUrl)) return;
    if (response.status() >= 500) reportUnlessExpected(response.url(), `answer: ${response.status()}`);
    const missing = missingHeaders(response);
    if (missing.length > 0 && (await isFromServer(response))) {
      report(`answer without ${missing.join(', ')} (${response.url()})`);
    }
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed';
    // Leaving a page aborts its pending requests.
    if (reason !== 'net::ERR_ABORTED') reportUnlessExpected(request.url(), `request: ${reason}`);
  });
}

/** The address that failed. Chromium locates a refused WebSocket in the script that opened it. */
function addressOf(message: ConsoleMessage): string {
  const [, socket] = /^WebSocket connection to '([^']+)' failed/.exec(message.text()) ?? [];
  return socket ?? message.location().url;
}

function missingHeaders(response: Response): string[] {
  const headers = response.headers();
  const isForFrames = new URL(response.url()).pathname.startsWith('/embed/');
  return REQUIRED_HEADERS.filter((name) => headers[name.toLowerCase()] === undefined).filter(
    (name) => !isForFrames || name !== 'X-Frame-Options',
  );
}

/** Tests write some responses themselves. These responses come from no address. */
async function isFromServer(response: Response): Promise<boolean> {
  const address = await response.serverAddr().catch(() => null);
  return address !== null;
}

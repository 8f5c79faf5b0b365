import type { Page, Route } from '@playwright/test';
import { errorStatuses, type ErrorBody, type ErrorCode } from '#schema/contracts/errors.ts';

/** A step that a test runs before or after it opens a page. */
export type PageStep = (page: Page) => Promise<unknown>;

/** URLs of the API's read endpoints. */
export const reads = {
  dashboard: /\/api\/dashboard$/,
  callers: /\/api\/callers(?:\?.*)?$/,
  caller: /\/api\/callers\/[^/?]+$/,
  statistics: /\/api\/callers\/[^/?]+\/statistics$/,
  results: /\/api\/callers\/[^/?]+\/results$/,
  joinLinks: /\/api\/callers\/[^/?]+\/telegram-chats$/,
  endedCalls: /\/api\/token-calls\/ended(?:\?.*)?$/,
  call: /\/api\/token-calls\/\w{20}$/,
  tokenCalls: /\/api\/tokens\/[1-9A-Za-z]+\/calls$/,
  token: /\/api\/tokens\/[1-9A-Za-z]{32,44}$/,
  callChart: /\/api\/token-calls\/\w{20}\/chart$/,
  callsOfCaller: /\/api\/token-calls\/caller\//,
  subscriptions: /\/api\/subscriptions\/(?:my|calls)(?:\?.*)?$/,
  paperFollows: /\/api\/paper-follows$/,
  payments: /\/api\/payments(?:\?.*)?$/,
  earnings: /\/api\/payments\/earnings(?:\?.*)?$/,
  receipt: /\/api\/payments\/[1-9A-HJ-NP-Za-km-z]{64,88}$/,
  mySubscriptions: /\/api\/subscriptions\/my(?:\?.*)?$/,
  wallets: /\/api\/user\/wallets$/,
  payoutChanges: /\/api\/user\/payout-changes$/,
  apiKeys: /\/api\/user\/api-keys$/,
  ways: /\/api\/user\/ways$/,
  telegramChats: /\/api\/user\/telegram-chats$/,
  webhook: /\/api\/user\/webhook$/,
  buys: /\/api\/wallet\/transactions\?/,
  balances: /\/api\/wallet\/balances$/,
  notifications: /\/api\/user\/notifications$/,
  subscribers: /\/api\/payments\/subscribers(?:\?.*)?$/,
  deliveries: /\/api\/telegram\/deliveries(?:\?.*)?$/,
  push: /\/api\/user\/push$/,
  tokenSearch: /\/api\/tokens\/search\?/,
  user: /\/api\/auth\/user$/,
  log: /\/log\/(?:key|checkpoint)$/,
  operators: /\/api\/operators\/(?:now|audit|search|(?:person|payment|call|earned)\/.+)(?:\?.*)?$/,
  status: /\/api\/status$/,
} as const;

/** The dashboard then requests each of its parts, so that they can be steered. */
export const inParts: PageStep = responded({}, reads.dashboard);

/**
 * Removes the content and the data from the pages that the worker renders, before the app starts, so that it asks the
 * API. The document isn't replaced by a route, because Chromium would then refuse its requests to the local Solana.
 */
export const withoutContent: PageStep = (page) =>
  page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      const data = document.getElementById('first-page');
      if (data === null) return;
      observer.disconnect();
      data.remove();
      document.getElementById('root')?.replaceChildren();
    });
    observer.observe(document, { childList: true, subtree: true });
    document.addEventListener('DOMContentLoaded', () => observer.disconnect());
  });

/** Leaves requests to these addresses without a response. */
export function held(...addresses: readonly RegExp[]): PageStep {
  return forEach(addresses, () => new Promise(() => undefined));
}

/** Responds to requests to these addresses with `body`. */
export function responded(body: unknown, ...addresses: readonly RegExp[]): PageStep {
  return forEach(addresses, (route) => route.fulfill({ json: body }));
}

/** Responds to requests to these addresses with the product's error for an unavailable service. */
export function failed(...addresses: readonly RegExp[]): PageStep {
  return refused(
    'chain.unavailable',
    'Solana does not respond at the moment. Please try again.',
    ...addresses,
  );
}

/**
 * Fails the test at each request to the API that no later step stubs: `watchForProblems` reports its address. Images
 * still come from the product, and nothing is paused.
 */
export const onlyStubbed: PageStep = async (page) => {
  await page.route(/\/api\/(?!images\/)/, (route) =>
    route.fulfill({ status: 501, json: { message: 'No stub' } }),
  );
  await page.route(reads.status, (route) => route.fulfill({ json: { pauses: [], outages: [] } }));
};

export function refused(code: ErrorCode, message: string, ...addresses: readonly RegExp[]): PageStep {
  const body: ErrorBody = { message, error: { code, message } };
  return forEach(addresses, (route) => route.fulfill({ status: errorStatuses[code], json: body }));
}

/** Changes the body of the product's responses. */
export function edited<Body>(address: RegExp, change: (body: Body) => Body): PageStep {
  return forEach([address], async (route) => {
    // Removes the page's ETag, so that the response isn't an empty 304.
    const { 'if-none-match': _tag, ...headers } = route.request().headers();
    const response = await route.fetch({ headers });
    await route.fulfill({ response, json: change((await response.json()) as Body) });
  });
}

/** Changes members of the product's responses. */
export const changed = <Body extends object>(address: RegExp, change: Partial<Body>): PageStep =>
  edited<Body>(address, (body) => ({ ...body, ...change }));

/** Lets a step respond to writes only. Reads go to the product. */
export function onWrite(address: RegExp, step: PageStep): PageStep {
  return async (page) => {
    await step(page);
    await page.route(address, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fallback(),
    );
  };
}

export function allOf(...steps: readonly PageStep[]): PageStep {
  return async (page) => {
    for (const step of steps) await step(page);
  };
}

function forEach(addresses: readonly RegExp[], handle: (route: Route) => Promise<unknown>): PageStep {
  return async (page) => {
    await withoutContent(page);
    for (const address of addresses) await page.route(address, handle);
  };
}

import { expect, test } from '@playwright/test';
import { watchForProblems } from './problems.ts';
import { controlUrl } from './settings.ts';

const failures = [
  { name: 'an error in the console', cause: () => console.error('oh no'), reported: /^console: oh no/ },
  {
    name: 'an uncaught exception',
    cause: () =>
      void setTimeout(() => {
        throw new Error('thrown late');
      }),
    reported: /^uncaught: .*thrown late/,
  },
  {
    name: 'an unhandled rejection',
    cause: () => void Promise.reject(new Error('left alone')),
    reported: /^uncaught: .*left alone/,
  },
  {
    name: 'a response with status 500',
    cause: () => void fetch('/api/callers'),
    reported: /^answer: 500/,
  },
  {
    name: 'a failed request',
    cause: () => void fetch('/gone').catch(() => undefined),
    reported: /^request: net::ERR_FAILED/,
  },
  {
    // The other site would learn who views which call, so our pages' policy forbids this image.
    name: 'an image from another site',
    cause: () => void Object.assign(new Image(), { src: 'http://127.0.0.1:1/wif.png' }),
    reported: /^console: .*violates.*img-src 'self' data:/,
  },
];

test('watchForProblems reports console errors, exceptions, rejections, failed requests and images of other sites', async ({
  page,
  baseURL,
}) => {
  const problems: string[] = [];
  await page.goto('/no/such/page');
  watchForProblems(page, {
    productUrl: baseURL ?? '',
    isExpected: () => false,
    report: (problem) => problems.push(problem),
  });
  await page.route('**/api/callers', (route) => route.fulfill({ status: 500 }));
  await page.route('**/gone', (route) => route.abort('failed'));
  for (const { name, cause, reported } of failures) {
    await test.step(name, async () => {
      problems.length = 0;
      await page.evaluate(cause);
      await expect.poll(() => problems.join('\n')).toMatch(new RegExp(reported.source, 'm'));
    });
  }
});

test('watchForProblems reports responses without security headers, except those that a test stubs', async ({
  page,
}) => {
  const problems: string[] = [];
  const { origin } = new URL(controlUrl);
  watchForProblems(page, {
    productUrl: origin,
    isExpected: () => false,
    report: (problem) => problems.push(problem),
  });
  await page.route('**/written', (route) => route.fulfill({ json: {} }));
  await page.goto(`${origin}/written`);
  await page.goto(`${controlUrl}/requests`);
  await expect.poll(() => problems.join('\n')).toMatch(/^answer without Content-Security-Policy, X-/);
  expect(problems).toHaveLength(1);
});

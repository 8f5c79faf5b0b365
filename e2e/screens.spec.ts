import { devices } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { signInAs } from './steps.ts';

const screens = [
  { path: '/', title: 'Find SolCallers' },
  { path: '/?view=table&sort=winRate', title: 'Find SolCallers' },
  { path: '/?search=nobody-is-called-this', title: 'Find SolCallers' },
  { path: '/recent-calls', title: 'Recent Calls' },
  { path: '/caller/amara_calls', title: 'Amara Lanternby' },
  { path: '/caller/FifteenLetters_', title: /Maximiliane/ },
  { path: '/caller/nobody_here', title: 'Caller Not Found' },
  { path: '/how-we-count', title: 'How We Count' },
  { path: '/test-dashboard', title: 'Caller Dashboard' },
  { path: '/no/such/page', title: 'Page Not Found' },
];

const profiles = [
  { name: 'a desktop, dark', use: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' } },
  { name: 'a phone, light', use: { ...devices['Pixel 7'], colorScheme: 'light' } },
  {
    name: 'the smallest phone, dark',
    use: { ...devices['Pixel 7'], viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
  },
] as const;

for (const { name, use } of profiles) {
  test.describe(`on ${name}`, () => {
    const { defaultBrowserType: _, ...options } = { defaultBrowserType: undefined, ...use };
    test.use({ ...options, refusedOnPurpose: /\/(?:api\/callers|caller)\/nobody_here$|\/no\/such\/page$/ });

    test('[6.1, 6.30] every public screen opens without console messages and without sideways scroll', async ({
      openBrowser,
    }) => {
      const page = await openBrowser();
      for (const { path, title } of screens) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
          path,
        ).toBeLessThanOrEqual(0);
      }
    });

    test('both views of a caller’s dashboard open without sideways scroll', async ({ openBrowser }) => {
      const page = await openBrowser();
      await signInAs(page, 'amara_calls');
      for (const view of ['Caller', 'Subscriber']) {
        await page.getByRole('radio', { name: view, exact: true }).check();
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(
          view === 'Caller' ? 'Caller Dashboard' : 'Welcome, Amara!',
        );
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
          view,
        ).toBeLessThanOrEqual(0);
      }
    });
  });
}

import { devices, type Locator, type Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { signInByScript } from './steps.ts';

const screens = [
  { path: '/', title: 'Find SolCallers' },
  { path: '/?view=table&sort=winRate', title: 'Find SolCallers' },
  { path: '/?search=nobody-is-called-this', title: 'Find SolCallers' },
  { path: '/recent-calls', title: 'Recent Calls' },
  { path: '/caller/amara_calls', title: 'Amara Lanternby' },
  { path: '/caller/FifteenLetters_', title: /Maximiliane/ },
  { path: '/caller/nobody_here', title: 'Caller Not Found' },
  { path: '/how-we-count', title: 'How We Count' },
  { path: '/sealed-calls', title: 'How Sealed Calls Work' },
  { path: '/terms', title: 'Terms' },
  { path: '/privacy', title: 'Privacy' },
  { path: '/risk', title: 'Risks' },
  { path: '/compare?callers=amara_calls+kenji_charts', title: 'Compare Callers' },
  { path: '/test-dashboard', title: 'Caller Dashboard' },
  { path: '/no/such/page', title: 'Page Not Found' },
];

const smallestPhone = { width: 320, height: 640 };

const profiles = [
  {
    name: 'on a desktop, dark',
    use: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
    isPhone: false,
  },
  {
    name: 'on a phone, light, and on the smallest phone, dark',
    use: { ...devices['Pixel 7'], colorScheme: 'light' },
    isPhone: true,
  },
] as const;

const profileHeights = [
  { viewport: { width: 1440, height: 900 }, most: 520 },
  { viewport: { width: 390, height: 844 }, most: 720 },
] as const;

for (const { viewport, most } of profileHeights) {
  test.describe(`a profile ${viewport.width} px wide`, () => {
    test.use({ viewport });

    test(`the active calls begin within ${most} px, for visitors and subscribers`, async ({
      openBrowser,
    }) => {
      const page = await openBrowser();
      const expectNear = async (path: string, content: Locator) => {
        await page.goto(path);
        await expect(content).toBeVisible();
        const title = page.getByRole('heading', { name: 'Active Calls', exact: true });
        const card = await page.locator('main section').filter({ has: title }).boundingBox();
        expect(card?.y, path).toBeLessThanOrEqual(most);
      };
      for (const path of ['/caller/amara_calls', '/caller/FifteenLetters_']) {
        await expectNear(path, page.getByText('Subscribe to View Active Calls'));
      }
      await signInByScript(page.context().request, 'tobi_drift');
      await expectNear('/caller/FifteenLetters_', page.getByText('Subscribed', { exact: true }));
    });
  });
}

/** On a phone, `innerWidth` grows with the content, but `clientWidth` stays the screen's width. */
const sidewaysScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const { name, use, isPhone } of profiles) {
  test.describe(name, () => {
    const { defaultBrowserType: _, ...options } = { defaultBrowserType: undefined, ...use };
    test.use({ ...options, refusedOnPurpose: /\/(?:api\/callers|caller)\/nobody_here$|\/no\/such\/page$/ });

    const expectNoSidewaysScroll = async (page: Page, screen: string) => {
      expect(await sidewaysScroll(page), screen).toBeLessThanOrEqual(0);
      if (!isPhone) return;
      const first = page.viewportSize() ?? smallestPhone;
      await page.setViewportSize(smallestPhone);
      await page.emulateMedia({ colorScheme: 'dark' });
      await expect.poll(() => sidewaysScroll(page), `${screen} on the smallest phone`).toBeLessThanOrEqual(0);
      await page.setViewportSize(first);
      await page.emulateMedia({ colorScheme: 'light' });
    };

    // Specification 6.1, 6.30
    test('every public screen opens without console messages and without sideways scroll', async ({
      openBrowser,
    }) => {
      const page = await openBrowser();
      for (const { path, title } of screens) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
        await expectNoSidewaysScroll(page, path);
      }
    });

    test('both views of a caller’s dashboard open without sideways scroll', async ({ openBrowser }) => {
      const page = await openBrowser();
      await signInByScript(page.context().request, 'amara_calls');
      await page.goto('/dashboard');
      for (const view of ['Caller', 'Subscriber']) {
        await page.getByRole('radio', { name: view, exact: true }).check();
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(
          view === 'Caller' ? 'Caller Dashboard' : 'Welcome, Amara!',
        );
        await expectNoSidewaysScroll(page, view);
      }
    });
  });
}

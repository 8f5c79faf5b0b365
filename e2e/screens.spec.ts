import { expect, type Locator, type Page } from '@playwright/test';
import { phone } from './devices.ts';
import { expectAccessible } from './accessibility.ts';
import { test } from './fixtures.ts';
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

const sizes = [
  { name: 'a phone', size: phone.use.viewport, colorScheme: 'light' },
  { name: 'the smallest phone', size: { width: 320, height: 640 }, colorScheme: 'dark' },
  { name: 'a desktop', size: { width: 1440, height: 900 }, colorScheme: 'dark' },
] as const;

const profileSizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

/** On a phone, `innerWidth` grows with the content, but `clientWidth` stays the screen's width. */
const sidewaysScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Checks a screen with axe at one size. */
async function expectFits(page: Page, screen: string, axeAt: (typeof sizes)[number]): Promise<void> {
  for (const at of sizes) {
    const { name, size, colorScheme } = at;
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    await expect.poll(() => sidewaysScroll(page), `${screen} on ${name}`).toBeLessThanOrEqual(0);
    if (at === axeAt) await expectAccessible(page, `${screen} on ${name}`);
  }
}

const topOf = async (content: Locator) => (await content.boundingBox())?.y ?? Number.POSITIVE_INFINITY;

test('a profile’s first screen has After the fee and the curve for visitors, the active calls for subscribers', async ({
  page,
}) => {
  for (const path of ['/caller/amara_calls', '/caller/FifteenLetters_']) {
    await page.goto(path);
    const curve = page.getByRole('figure', { name: /^Gains and fees/ });
    await expect(curve).toBeVisible();
    for (const size of profileSizes) {
      await page.setViewportSize(size);
      const at = `${path} at ${size.width}`;
      await expect
        .poll(() => topOf(page.getByRole('region', { name: 'After the fee' })), at)
        .toBeLessThan(size.height / 2);
      await expect.poll(() => topOf(curve), at).toBeLessThan(size.height);
      const hidden = await page.getByRole('region', { name: 'Active Calls' }).boundingBox();
      expect(hidden?.height ?? 0, at).toBeLessThanOrEqual(160);
    }
  }
  await signInByScript(page.context().request, 'tobi_drift');
  await page.goto('/caller/FifteenLetters_');
  await expect(page.getByText('Subscribed', { exact: true })).toBeVisible();
  for (const size of profileSizes) {
    await page.setViewportSize(size);
    await expect
      .poll(() => topOf(page.getByRole('heading', { name: 'Active Calls' })))
      .toBeLessThan(size.height);
  }
});

test.describe('on phones and a desktop', () => {
  test.use({
    ...phone.use,
    refusedOnPurpose: /\/(?:api\/callers|caller)\/nobody_here$|\/no\/such\/page$/,
  });

  // Specification 6.1, 6.30
  test('every public screen opens without console messages, sideways scroll or axe violations', async ({
    page,
  }) => {
    for (const [index, { path, title }] of screens.entries()) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
      await expectFits(page, path, index % 2 === 0 ? sizes[0] : sizes[2]);
    }
  });

  test('both views of a caller’s dashboard open without sideways scroll or axe violations', async ({
    page,
  }) => {
    await signInByScript(page.context().request, 'amara_calls');
    await page.goto('/dashboard');
    for (const view of ['Caller', 'Subscriber']) {
      await page.getByRole('radio', { name: view, exact: true }).check();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        view === 'Caller' ? 'Caller Dashboard' : 'Welcome, Amara!',
      );
      await expectFits(page, view, view === 'Caller' ? sizes[0] : sizes[2]);
    }
  });

  test('the settings open without sideways scroll or axe violations, and their sections by keyboard', async ({
    page,
  }) => {
    await signInByScript(page.context().request, 'amara_calls');
    const firstView = page.waitForRequest('**/api/events/page-view');
    await page.goto('/settings');
    await firstView;
    const sections = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
    await expect(sections.first()).toHaveAttribute('aria-current', 'page');
    // The open section comes last, because a link to the open page moves no focus.
    const all = await sections.all();
    for (const [index, section] of [...all.slice(1), ...all.slice(0, 1)].entries()) {
      await section.press('Enter');
      await expect(section).toHaveAttribute('aria-current', 'page');
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
      await expectFits(page, `settings ${index}`, index % 2 === 0 ? sizes[0] : sizes[2]);
    }
  });
});

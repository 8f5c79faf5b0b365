import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { signInByScript } from './steps.ts';

// All requests may fail here. Uncaught errors still fail the test.
test.use({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark', refusedOnPurpose: /./ });

const cards = (page: Page) => page.locator('main [role=listitem]');
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const notice = (page: Page) => page.getByText(/^You're offline\. This/);
const failure = (page: Page) => page.getByText('Failed to load this page');

/** Marks the document. Returns a function that is true as long as the page has not been reloaded. */
async function markDocument(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => document.documentElement.setAttribute('data-same', ''));
  return () => page.locator('html[data-same]').isVisible();
}

/** Responds with 404 for JS files that aren't loaded yet, until the browser reloads the page's document, as happens after a release. */
async function replaceFiles(page: Page, path: string): Promise<void> {
  let isReplaced = true;
  await page.route('**/assets/*.js', (route) =>
    isReplaced ? route.fulfill({ status: 404, body: 'Not found' }) : route.continue(),
  );
  await page.route(`**${path}`, (route) => {
    isReplaced = false;
    return route.continue();
  });
}

test('a page survives an offline phase and a release that replaces its JS files', async ({ page }) => {
  await signInByScript(page.request, 'offline_reader');
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible();
  await expect(cards(page).first()).toBeVisible();
  const count = await cards(page).count();
  await page.context().setOffline(true);
  await expect(notice(page)).toBeVisible();

  await test.step('offline, a dialog that is not loaded yet does not open', async () => {
    await page
      .getByRole('button', { name: /^(?:Subscribe|Free Access): / })
      .first()
      .click();
    await expect(page.getByText("Couldn't open this").first()).toBeVisible();
    await expect(cards(page)).toHaveCount(count);
  });

  await test.step('offline, a page that is not loaded yet offers to try again', async () => {
    await page.getByRole('link', { name: 'Recent Calls' }).click();
    await expect(failure(page)).toBeVisible();
    await expect(page.getByRole('main')).toContainText(
      "You're offline. Check your connection and try again.",
    );
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await expect(failure(page)).toBeVisible();
  });

  await test.step('online again, the page that was not loaded loads by itself', async () => {
    await page.context().setOffline(false);
    await expect(heading(page)).toHaveText('Recent Calls');
    await expect(page.getByRole('table')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible();
    await expect(notice(page)).toBeHidden();
  });

  await test.step('after a release has replaced the JS file of a page, Try again reloads the document', async () => {
    const isSame = await markDocument(page);
    await replaceFiles(page, '/how-we-count');
    await page.getByRole('contentinfo').getByRole('link', { name: 'How we count' }).click();
    await expect(failure(page)).toBeVisible();
    expect(await isSame()).toBe(true);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(heading(page)).toHaveText('How We Count');
    expect(await isSame()).toBe(false);
  });
});

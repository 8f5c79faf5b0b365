import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { becomeCaller, signInByScript } from './steps.ts';

test.use({ hasMotion: true });

test.describe('an ended session', () => {
  // After the session has ended, the server responds with 401.
  test.use({ refusedOnPurpose: /\/api\// });

  // Specification 2.39, 2.107, 2.111, 8.43
  test('after signing in again in another tab, an open dialog still has its text and can be saved', async ({
    page,
  }) => {
    const context = page.context();
    await signInByScript(context.request, 'kept_caller');
    await becomeCaller(page.request);
    await page.goto('/caller/kept_caller');
    await page.getByRole('button', { name: 'Edit bio' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Bio' });
    const bio = dialog.getByRole('textbox', { name: 'Bio' });
    await expect(bio).toHaveAttribute('placeholder', 'Write a brief bio about yourself...');
    await bio.fill('It took me an hour to write this.');
    await context.clearCookies();
    await dialog.getByRole('button', { name: 'Save' }).click();

    const opened = page.waitForEvent('popup');
    await dialog.getByRole('link', { name: 'Sign in again' }).click();
    const tab = await opened;
    const closed = tab.waitForEvent('close');
    await tab.getByLabel('Or sign in as someone new').fill('kept_caller');
    await tab.getByLabel('Or sign in as someone new').press('Enter');
    await closed;

    // When the second tab closes, headless Chromium fires no focus event.
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect(page.getByText("You're signed in again", { exact: true })).toBeVisible();
    await expect(dialog.getByRole('link', { name: 'Sign in again' })).toHaveCount(0);
    await expect(bio).toHaveValue('It took me an hour to write this.');
    await expectAccessible(page, 'the bio dialog', { isOverlay: true });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Bio updated successfully', { exact: true })).toBeVisible();
    await expect(dialog).toHaveCount(0);
  });
});

// Specification 2.109, 2.112, 4.37
test('Back closes a dialog instead of leaving the page, and the reopened dialog still has its text', async ({
  page,
}) => {
  await signInByScript(page.context().request, 'amara_calls');
  await page.goto('/recent-calls');
  await page.goto('/caller/amara_calls');
  const dialog = page.getByRole('dialog', { name: 'Edit Bio' });
  const bio = dialog.getByRole('textbox', { name: 'Bio' });
  const open = () => page.getByRole('button', { name: 'Edit bio' }).click();
  await open();
  await bio.fill('Not finished yet');
  const scrolled = await page.evaluate(() => window.scrollY);
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/caller\/amara_calls$/);
  expect(await page.evaluate(() => window.scrollY)).toBe(scrolled);
  await page.goForward();
  await expect(dialog).toHaveCount(0);
  await open();
  await expect(bio).toHaveValue('Not finished yet');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => (history.state as { dialog?: true }).dialog)).toBeUndefined();
  await page.goBack();
  await expect(page).toHaveURL(/\/recent-calls$/);
});

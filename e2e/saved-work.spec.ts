import { expect, test } from './fixtures.ts';
import { airdropToLocalWallet, becomeCaller, signInByScript } from './steps.ts';

test.use({ hasMotion: true });

test.describe('an interrupted visit', () => {
  // After the session has ended, the server responds with 401.
  test.use({ refusedOnPurpose: /\/api\// });

  test('an interrupted visit continues after signing in again in another tab, with the open dialog and its text', async ({
    openBrowser,
  }) => {
    const page = await openBrowser();
    const context = page.context();
    await signInByScript(context.request, 'kept_caller');
    await becomeCaller(page.request);
    await page.goto('/caller/kept_caller');
    await page.getByRole('button', { name: 'Edit bio' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Bio' });
    const bio = dialog.getByRole('textbox', { name: 'Bio' });
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
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Bio updated successfully', { exact: true })).toBeVisible();
    await expect(dialog).toHaveCount(0);
  });
});

test('Back closes a dialog instead of leaving the page, and the reopened dialog still has its text', async ({
  openBrowser,
}) => {
  const page = await openBrowser();
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

test('a payment dialog stays open on a second click on Pay, and still shows the payment after reopening', async ({
  openBrowser,
}) => {
  const page = await openBrowser();
  const dialog = page.getByRole('dialog', { name: 'Subscribe to Amara Lanternby' });
  const inProgress = page.getByRole('button', { name: 'Payment in progress' }).first();
  await signInByScript(page.context().request, 'kept_payer');
  await page.goto('/caller/amara_calls');
  await airdropToLocalWallet(page);
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await dialog.getByRole('button', { name: /Local Wallet/ }).click();
  const pay = dialog.getByRole('button', { name: 'Pay 0.5000 SOL' });
  await expect(pay).toBeEnabled();
  let confirm = () => {};
  const held = new Promise<void>((resolve) => (confirm = resolve));
  await page.route(/\/confirm-transaction$/, async (route) => {
    await held;
    await route.continue();
  });
  const box = await pay.boundingBox();
  const point = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  const paying = dialog.getByRole('heading', { name: 'Payment in progress' });

  await test.step('a second click on Pay, a click outside and Escape leave the dialog open', async () => {
    await page.mouse.click(point.x, point.y);
    await expect(paying).toBeVisible();
    const hit = await page.evaluate(
      ({ x, y }) => document.elementFromPoint(x, y)?.closest('[role=dialog]') !== null,
      point,
    );
    expect(hit).toBe(true);
    await page.mouse.click(point.x, point.y);
    await page.mouse.click(5, 5);
    await page.keyboard.press('Escape');
    await expect(paying).toBeVisible();
  });

  await test.step('after Back, the page says that the payment is in progress, and a click reopens the dialog', async () => {
    await page.goBack();
    await expect(dialog).toHaveCount(0);
    await inProgress.click();
    await expect(paying).toBeVisible();
  });

  await test.step('after the payment, a link leads to the calls', async () => {
    confirm();
    await expect(dialog.getByText('You are subscribed to Amara Lanternby.')).toBeVisible();
    await dialog.getByRole('link', { name: 'See their calls' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(/\/caller\/amara_calls$/);
    await expect(page.getByLabel('Active Calls').getByRole('link', { name: /^Buy / }).first()).toBeVisible();
    await expect(page.getByRole('heading', { level: 2, name: 'Active Calls' })).toBeInViewport();
  });
});

import { journeyDevices } from './devices.ts';
import { expect, test } from './fixtures.ts';
import { becomeCaller, pinPrice, signInByScript } from './steps.ts';

const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcFQfBopzLHYxdM65zcjm';

for (const { name, mark, use } of journeyDevices('phone')) {
  test.describe(`a caller on ${name}`, () => {
    test.use(use);

    test('a caller calls the token from the URL, can’t call it again, and ends the call', async ({
      openBrowser,
    }) => {
      const page = await openBrowser();
      await pinPrice(WIF, 2);
      await signInByScript(page.context().request, `voice_${mark}`);
      await becomeCaller(page.request);
      await page.goto(`/dashboard?token=${WIF}`);
      await expect(page.getByLabel('Find a token')).toHaveValue(WIF);
      await page.getByRole('button', { name: 'Make Call' }).click();
      await expect(page.getByText('Token Call Created', { exact: true })).toBeVisible();
      await expect(page.getByRole('list', { name: 'Active Calls' })).toContainText('2.0000');

      await page.getByLabel('Find a token').fill(WIF);
      await page.getByRole('button', { name: 'Look up' }).click();
      await expect(page.getByRole('button', { name: 'Already Called' })).toBeDisabled();

      await pinPrice(WIF, 1.5);
      await page.getByRole('button', { name: /^End / }).click();
      await page
        .getByRole('dialog', { name: /^End your .* call\?$/ })
        .getByRole('button', { name: 'End call' })
        .click();
      await expect(page.getByText('Call Ended', { exact: true })).toBeVisible();
      await expect(page.getByRole('list', { name: 'Call History' })).toContainText('-25.0%');
      await expect(page.getByText('No active calls at the moment')).toBeVisible();
      await page.getByRole('link', { name: 'View Public Profile' }).click();
      await expect(page).toHaveURL(/\/caller\/[0-9a-f-]{36}$/);
      await expect(page.getByText('Your Profile', { exact: true })).toBeVisible();
      await expect(page.getByText('0.0%', { exact: true }).first()).toBeVisible();
    });
  });
}

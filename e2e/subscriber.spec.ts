import { journeyDevices } from './devices.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './steps.ts';

for (const { name, mark, isPhone, use } of journeyDevices('phone')) {
  test.describe(`on ${name}`, () => {
    // The page's last requests may arrive after the log-out.
    test.use({ ...use, refusedOnPurpose: /\/api\/(?:subscriptions|user)\// });

    // Specification 2.79, 4.14, 8.45
    test('a subscriber signs in, follows a Free caller, sees the caller’s calls, and logs out', async ({
      page,
    }) => {
      const handle = `fan_${mark}`;
      await signInAs(page, handle);
      await expect(page.getByText('No subscriptions yet')).toBeVisible();

      await test.step('the subscriber follows without a wallet', async () => {
        await page.goto('/caller/kenji_charts');
        await page.getByRole('button', { name: 'Free Access' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Follow for free' }).click();
        await expect(page.getByText('Free Subscription Activated!', { exact: true })).toBeVisible();
        await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
        await expect(page.getByText('Subscribed', { exact: true })).toBeVisible();
      });

      await test.step('the profile and the dashboard show the caller’s active calls', async () => {
        await expect(
          page.getByLabel('Active Calls').getByRole('link', { name: /^Buy / }).first(),
        ).toHaveAttribute('href', /^https:\/\/jup\.ag\/swap\/SOL-/);
        await page.goto('/dashboard');
        const buy = page
          .getByRole('list', { name: 'Active Calls' })
          .getByRole('link', { name: /^Buy / })
          .first();
        await expect(buy).toHaveAttribute('href', /^https:\/\/jup\.ag\/swap\/SOL-/);
        await expect(buy).toHaveAttribute('target', '_blank');
        await expect(page.getByRole('list', { name: 'Your Subscriptions' })).toContainText('Free');
        await expect(page.getByRole('list', { name: 'Your Subscriptions' })).toContainText('Active');
      });

      await test.step('the account menu shows the name and logs out', async () => {
        await page.getByRole('button', { name: 'Your account' }).click();
        const menu = page.getByRole('navigation', { name: 'Your account' });
        await expect(menu).toContainText(`@${handle}`);
        await expect(menu.getByRole('link', { name: 'Dashboard' })).toHaveCount(isPhone ? 0 : 1);
        await menu.getByRole('link', { name: 'Log out' }).click();
        await expect(page.getByRole('link', { name: 'Sign in with Twitter' }).first()).toBeVisible();
        await page.goto('/dashboard');
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Find SolCallers');
      });
    });
  });
}

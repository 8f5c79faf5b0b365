import { journeyDevices } from './devices.ts';
import { expect, test } from './fixtures.ts';
import { becomeCaller, signInByScript } from './steps.ts';

for (const { name, mark, use } of journeyDevices('phone')) {
  test.describe(`the owner of a profile on ${name}`, () => {
    test.use(use);

    test('saves, cancels and clears a bio', async ({ openBrowser }) => {
      const page = await openBrowser();
      const visitor = await openBrowser();
      const handle = `bio_${mark}`;
      await signInByScript(page.context().request, handle);
      await becomeCaller(page.request);
      await page.goto(`/caller/${handle}`);
      await expect(page.getByText('Your Profile', { exact: true })).toBeVisible();
      await expect(page.getByText('Add a bio to tell others about yourself.')).toBeVisible();
      await visitor.goto(`/caller/${handle}`);
      await expect(visitor.getByText('No bio available.')).toBeVisible();
      await expect(visitor.getByRole('button', { name: 'Edit bio' })).toHaveCount(0);

      const dialog = page.getByRole('dialog', { name: 'Edit Bio' });
      const bio = dialog.getByPlaceholder('Write a brief bio about yourself...');
      const open = () => page.getByRole('button', { name: 'Edit bio' }).click();
      await test.step('a bio that is too long is not saved', async () => {
        await open();
        await expect(dialog.getByText('0/500 characters')).toBeVisible();
        await bio.fill('x'.repeat(501));
        await expect(dialog.getByText('501/500 characters')).toBeVisible();
        await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
      });
      await test.step('everyone sees the saved bio', async () => {
        await bio.fill('Few calls, all of them mine.');
        await expect(dialog.getByText('28/500 characters')).toBeVisible();
        await dialog.getByRole('button', { name: 'Save' }).click();
        await expect(page.getByText('Bio updated successfully', { exact: true })).toBeVisible();
        await expect(dialog).toHaveCount(0);
        await expect(page.getByText('Few calls, all of them mine.')).toBeVisible();
        // Shared caches keep the page for some seconds.
        await expect(async () => {
          await visitor.reload();
          await expect(visitor.getByText('Few calls, all of them mine.')).toBeVisible({ timeout: 1_000 });
        }).toPass();
      });
      await test.step('cancelling changes nothing', async () => {
        await open();
        await bio.fill('Something else');
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await expect(dialog).toHaveCount(0);
        await expect(page.getByText('Few calls, all of them mine.')).toBeVisible();
        await open();
        await expect(bio).toHaveValue('Few calls, all of them mine.');
      });
      await test.step('clearing the bio brings back the prompt to write one', async () => {
        await bio.fill('');
        await dialog.getByRole('button', { name: 'Save' }).click();
        await expect(page.getByText('Add a bio to tell others about yourself.')).toBeVisible();
      });
    });

    test('sees their own active calls without a subscription', async ({ openBrowser }) => {
      const page = await openBrowser();
      await signInByScript(page.context().request, 'amara_calls');
      await page.goto('/caller/amara_calls');
      await expect(page.getByText('Your Profile', { exact: true })).toBeVisible();
      await expect(
        page.getByLabel('Active Calls').getByRole('link', { name: /^Buy / }).first(),
      ).toBeVisible();
      await expect(page.getByText('Subscribe to View Active Calls')).toHaveCount(0);
      await expect(page.getByRole('button', { name: /^Subscribe/ })).toHaveCount(0);
    });
  });
}

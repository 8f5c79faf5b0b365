import { journeyDevices } from './devices.ts';
import { expect, test } from './fixtures.ts';
import { becomeCaller, signInByScript } from './steps.ts';

for (const { name, mark, use } of journeyDevices('phone')) {
  test.describe(`the owner of a profile on ${name}`, () => {
    test.use(use);

    test('a profile’s owner saves a bio that everyone sees', async ({ openBrowser }) => {
      const page = await openBrowser();
      const visitor = await openBrowser();
      const handle = `bio_${mark}`;
      await signInByScript(page.context().request, handle);
      await becomeCaller(page.request);
      await page.goto(`/caller/${handle}`);
      await visitor.goto(`/caller/${handle}`);
      await expect(visitor.getByText('No bio available.')).toBeVisible();
      await page.getByRole('button', { name: 'Edit bio' }).click();
      const dialog = page.getByRole('dialog', { name: 'Edit Bio' });
      await dialog.getByRole('textbox', { name: 'Bio' }).fill('Few calls, all of them mine.');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(dialog).toHaveCount(0);
      await expect(page.getByText('Few calls, all of them mine.')).toBeVisible();
      // Shared caches keep the page for some seconds.
      await expect(async () => {
        await visitor.reload();
        await expect(visitor.getByText('Few calls, all of them mine.')).toBeVisible({ timeout: 1_000 });
      }).toPass();
    });
  });
}

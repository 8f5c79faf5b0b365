import { readFile } from 'node:fs/promises';
import { DOCUMENTS } from '#schema/constants/people.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { signInByScript } from './steps.ts';

// The server refuses the wrong handle, and the request after the session has ended.
test.use({ refusedOnPurpose: /\/api\/(?:user\/deletion|auth\/user)$/ });

test('a user downloads their data and deletes the account', async ({ page }) => {
  await signInByScript(page.request, 'careful_reader');

  await test.step('the settings offer all stored data as one file', async () => {
    await page.goto('/settings/data');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export my data' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^solcallers-data-.*\.json$/);
    const data = JSON.parse(await readFile(await download.path(), 'utf8')) as Record<string, unknown[]>;
    expect(data['users']).toMatchObject([{ twitter_handle: 'careful_reader' }]);
    expect(data['acceptances']).toHaveLength(DOCUMENTS.length);
  });

  await test.step('deleting the account asks for the handle, and signs out', async () => {
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    const field = dialog.getByRole('textbox', { name: 'Type careful_reader to confirm' });
    await field.fill('somebody_else');
    await field.press('Enter');
    await expect(dialog.getByRole('alert')).toContainText("This isn't your handle.");
    await expectAccessible(page, 'the deletion', { isOverlay: true });
    await field.fill('@careful_reader');
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByRole('link', { name: 'Sign in with Twitter' }).first()).toBeVisible();
    expect((await page.request.get('/api/auth/user')).status()).toBe(401);
  });
});

import { readFile } from 'node:fs/promises';
import { DOCUMENTS } from '#schema/constants/people.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './steps.ts';

// The wrong handle, and the request that shows that the session has ended.
test.use({ refusedOnPurpose: /\/api\/(?:user\/deletion|auth\/user)$/ });

test('a newcomer accepts the terms once before paying, downloads their data and deletes the account', async ({
  page,
}) => {
  const openDialog = async () => {
    await page.goto('/caller/amara_calls');
    await page
      .getByRole('button', { name: /^Subscribe/ })
      .first()
      .click();
    return page.getByRole('dialog');
  };
  await signInAs(page, 'careful_reader');

  await test.step('the dialog asks before it shows the wallets, and links to the documents', async () => {
    const dialog = await openDialog();
    await expect(dialog.getByText('Before you pay')).toBeVisible();
    await expect(dialog.getByRole('button', { name: /Local Wallet/ })).toHaveCount(0);
    await expect(dialog.getByRole('button', { name: 'Continue' })).toBeDisabled();
    await expectAccessible(page, 'the terms', { isOverlay: true });
    const links = await dialog.getByRole('link', { name: /opens in a new tab/ }).all();
    const targets = await Promise.all(links.map((link) => link.getAttribute('href')));
    expect(targets).toEqual(DOCUMENTS.map((document) => `/${document}`));
    await dialog.getByRole('checkbox', { name: /^I have read and accept/ }).press('Space');
    await dialog.getByRole('button', { name: 'Continue' }).press('Enter');
    await expect(dialog.getByRole('button', { name: /Local Wallet/ })).toBeVisible();
  });

  await test.step('the dialog does not ask for the terms again', async () => {
    const dialog = await openDialog();
    await expect(dialog.getByRole('button', { name: /Local Wallet/ })).toBeVisible();
    await expect(dialog.getByRole('checkbox')).toHaveCount(0);
  });

  await test.step('the dashboard offers all stored data as one file', async () => {
    await page.goto('/dashboard');
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

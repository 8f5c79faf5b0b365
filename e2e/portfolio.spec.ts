import { devices } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

test.use({ viewport: devices['Pixel 7'].viewport });

test('a visitor signs in to follow a caller on paper, then changes and removes the paper follow by keyboard', async ({
  page,
}) => {
  await page.goto('/caller/amara_calls');
  await page.getByRole('button', { name: 'Paper', exact: true }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Sign in with Twitter' }).click();
  await page.getByLabel('Or sign in as someone new').fill('paper_fan');
  await page.getByLabel('Or sign in as someone new').press('Enter');
  await expect(page).toHaveURL(/\/caller\/amara_calls$/);

  await page.getByRole('button', { name: 'Paper', exact: true }).press('Enter');
  await page.getByRole('dialog').getByLabel('Amount per call').fill('250');
  await expectAccessible(page, 'following on paper', { isOverlay: true });
  await page.getByRole('dialog').getByLabel('Amount per call').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Paper: $250 per call' })).toBeFocused();

  await page.getByRole('button', { name: 'Your account' }).press('Enter');
  const menu = page.getByRole('navigation', { name: 'Your account' });
  await menu.getByRole('link', { name: 'Portfolio' }).press('Enter');
  const list = page.getByRole('list').filter({ hasText: 'Amara Lanternby' });
  await expect(list).toContainText('0 ended calls');
  await expect(page.getByText('Open calls count once they end.')).toBeVisible();

  await page.getByRole('button', { name: 'Paper: $250 per call' }).press('Enter');
  await page.getByRole('button', { name: 'Without an amount' }).press('Enter');
  await page.getByRole('button', { name: 'Paper: no amount' }).press('Enter');
  await page.getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(page.getByText('No callers on paper')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/caller\/amara_calls$/);
  await expect(page.getByRole('button', { name: 'Paper', exact: true })).toBeVisible();
});

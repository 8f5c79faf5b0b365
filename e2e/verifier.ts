import type { Page } from '@playwright/test';

/** Opens the verifier of the page. Returns its dialog, and a function that verifies. */
export async function openVerifier(page: Page, { path, title }: { path: string; title: string }) {
  await page.goto(path);
  await page.getByRole('button', { name: title }).click();
  const dialog = page.getByRole('dialog', { name: title });
  const problems = dialog.getByRole('list', { name: 'Problems' });
  return { dialog, problems, verify: () => dialog.getByRole('button', { name: /^Verify/ }).click() };
}

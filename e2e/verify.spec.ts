import type { Page } from '@playwright/test';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { expect, test } from './fixtures.ts';
import { becomeCaller, pinPrice, runCron, signInByScript } from './steps.ts';

const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcFQfBopzLHYxdM65zcjm';

interface LogRecord {
  readonly entries: { entry: { kind: string; number: number; content: object } }[];
}

async function makeCall(page: Page): Promise<TokenCall> {
  await pinPrice(WIF, 2);
  await page.goto(`/dashboard?token=${WIF}`);
  const created = page.waitForResponse(/\/api\/token-calls$/);
  await page.getByRole('button', { name: 'Make Call' }).click();
  await expect(page.getByText('Token Call Created', { exact: true })).toBeVisible();
  return (await (await created).json()) as TokenCall;
}

async function endCall(page: Page): Promise<void> {
  await pinPrice(WIF, 1.5);
  await page.getByRole('button', { name: /^End / }).click();
  await page
    .getByRole('dialog', { name: /^End your .* call\?$/ })
    .getByRole('button', { name: 'End call' })
    .click();
  await expect(page.getByText('Call Ended', { exact: true })).toBeVisible();
}

test('a record verifies once its calls are in the log, and a changed entry or an edited log is named', async ({
  openBrowser,
}) => {
  const page = await openBrowser();
  await signInByScript(page.context().request, 'sealed_calls');
  await becomeCaller(page.request);
  const { id, callerId } = await makeCall(page);
  await endCall(page);
  await runCron();

  await test.step('the page of the call shows its entries, and its caller the receipts', async () => {
    await page.goto(`/call/${id}`);
    await expect(page.getByText(/^Entries [\d,]+ and [\d,]+ of the public log\./)).toBeVisible();
    await expect(page.getByRole('list', { name: 'Receipts' }).getByRole('listitem')).toHaveCount(2);
    await page
      .getByRole('button', { name: /^Verify receipt/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: 'Verify this record' });
    await expect(dialog.getByText(/^Verified: 1 ended call, /)).toBeVisible();
    await expect(dialog.getByText('The receipt was kept')).toBeVisible();
  });

  const visitor = await openBrowser();
  await visitor.goto(`/caller/${callerId}`);
  await visitor.getByRole('button', { name: 'Verify this record' }).click();
  const dialog = visitor.getByRole('dialog', { name: 'Verify this record' });
  const checkAgain = () => dialog.getByRole('button', { name: 'Check again' }).click();
  await expect(dialog.getByText(/^Verified: 1 ended call, nothing missing or changed since /)).toBeVisible();

  await test.step('a changed end price turns the verdict red', async () => {
    let number = 0;
    await visitor.route('**/log/callers/*', async (route) => {
      const response = await route.fetch();
      const record = (await response.json()) as LogRecord;
      const end = record.entries.find(({ entry }) => entry.kind === 'ended')?.entry;
      if (!end) throw new Error('The record has no ended call.');
      ({ number } = end);
      end.content = { ...end.content, endPrice: '3' };
      await route.fulfill({ response, json: record });
    });
    await checkAgain();
    await expect(dialog.getByText(/^Not verified: /)).toBeVisible();
    const problems = dialog.getByRole('list', { name: 'Problems' });
    await expect(problems).toContainText(`Entry ${number} of this caller isn't in the log that was signed.`);
    await visitor.unroute('**/log/callers/*');
  });

  await test.step('a changed byte of a tile turns the verdict red, because the log has grown', async () => {
    await makeCall(page);
    await runCron();
    await visitor.route('**/log/tile/**', async (route) => {
      const response = await route.fetch();
      const body = await response.body();
      body[0] = (body[0] ?? 0) ^ 1;
      await route.fulfill({ response, body });
    });
    // Caches may respond with the record from before for a few seconds. Its log hasn't grown since.
    await expect(async () => {
      await checkAgain();
      await expect(dialog.getByText(/^Not verified: /)).toBeVisible({ timeout: 4_000 });
      const reason = dialog.getByText(/that this device saw on .*: entries were changed\.$/);
      await expect(reason).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await visitor.unroute('**/log/tile/**');
    await checkAgain();
    await expect(dialog.getByText(/^Verified: 1 ended call, /)).toBeVisible();
  });
});

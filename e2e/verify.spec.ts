import type { Page } from '@playwright/test';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { solanaUrl } from './settings.ts';
import { becomeCaller, pinPrice, runCron, signInByScript } from './steps.ts';
import { openVerifier } from './verifier.ts';

const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';

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

test('a visitor verifies a new record against the chain, and a changed log entry fails with an explanation', async ({
  openBrowser,
}) => {
  const page = await openBrowser();
  await signInByScript(page.context().request, 'sealed_calls');
  await becomeCaller(page.request);
  const { id, callerId } = await makeCall(page);
  await endCall(page);
  await runCron();
  await page.goto(`/call/${id}`);
  await page.getByText('Evidence and log').click();
  await expect(page.getByText(/^Entries [\d,]+ and [\d,]+ of the public log\./)).toBeVisible();

  const visitor = await openBrowser();
  const asked: string[] = [];
  visitor.on('request', (request) => {
    if (request.postData()?.includes('getSignaturesForAddress') === true) asked.push(request.url());
  });
  const { dialog, problems, verify } = await openVerifier(visitor, {
    path: `/caller/${callerId}`,
    title: 'Verify this record',
  });
  expect(asked).toEqual([]);
  await verify();
  // Without an anchor since the call, the call isn't confirmed yet.
  await expect(dialog.getByText(/^(Verified|Not confirmed)$/)).toBeVisible();
  await expect(dialog.getByText(/^1 call(\. None missing, none changed\.$| that fit)/)).toBeVisible();
  await expect(dialog.getByText(/^(Solana confirms each|An anchor on Solana follows)/)).toBeVisible();
  expect(asked).toContain(`${solanaUrl}/`);
  await dialog.getByText('Details').click();
  await expectAccessible(visitor, 'the verified record', { isOverlay: true });

  await test.step('the log’s past was changed since the last check', async () => {
    await makeCall(page);
    await runCron();
    await visitor.route('**/log/tile/entries/**', async (route) => {
      const response = await route.fetch();
      const body = await response.body();
      body[40] = (body[40] ?? 0) ^ 1;
      await route.fulfill({ response, body });
    });
    // A cached checkpoint may be from before the new call.
    await expect(async () => {
      await verify();
      await expect(dialog.getByText('Not verified', { exact: true })).toBeVisible({ timeout: 4_000 });
    }).toPass();
    await expect(problems).toContainText('Don’t rely on this record: the log was changed afterwards.');
    await visitor.unroute('**/log/tile/entries/**');
  });

  await test.step('without an endpoint, nothing is confirmed', async () => {
    await dialog.getByText(/^Times from Solana/).click();
    await dialog.getByLabel('RPC endpoint').fill('');
    await verify();
    await expect(dialog.getByText('Not confirmed', { exact: true })).toBeVisible();
    const headline = '2 calls that fit together. Nobody outside has confirmed them yet.';
    await expect(dialog.getByText(headline)).toBeVisible();
    await expect(dialog.getByText('1 call is still sealed.')).toBeVisible();
  });
});

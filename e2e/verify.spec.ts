import type { Page } from '@playwright/test';
import type { CallerListItem, CallerProfile } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { expect, test } from './fixtures.ts';
import { edited, reads } from './responses.ts';
import { solanaUrl } from './settings.ts';
import { becomeCaller, pinPrice, runCron, signInByScript } from './steps.ts';

const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcFQfBopzLHYxdM65zcjm';

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

/** Opens the verifier of the page. Returns its dialog, and a function that verifies. */
async function openVerifier(page: Page, { path, title }: { path: string; title: string }) {
  await page.goto(path);
  await page.getByRole('button', { name: title }).click();
  const dialog = page.getByRole('dialog', { name: title });
  const problems = dialog.getByRole('list', { name: 'Problems' });
  return { dialog, problems, verify: () => dialog.getByRole('button', { name: /^Verify/ }).click() };
}

test('a visitor verifies a new record with the chain, and a changed entry is a failure that says what it means', async ({
  openBrowser,
}) => {
  const page = await openBrowser();
  await signInByScript(page.context().request, 'sealed_calls');
  await becomeCaller(page.request);
  const { id, callerId } = await makeCall(page);
  await endCall(page);
  await runCron();
  await page.goto(`/call/${id}`);
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
  await expect(dialog.getByText('Verified', { exact: true })).toBeVisible();
  await expect(dialog.getByText('1 call. None missing, none changed.')).toBeVisible();
  await expect(dialog.getByText(/Solana confirms|too new to be confirmed yet/)).toBeVisible();
  expect(asked).toContain(`${solanaUrl}/`);

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

  await test.step('without an endpoint, the times are unconfirmed', async () => {
    await dialog.getByText(/^Times from Solana/).click();
    await dialog.getByLabel('RPC endpoint').fill('');
    await verify();
    await expect(dialog.getByText('2 calls. None missing, none changed.')).toBeVisible();
    await expect(dialog.getByText('The times are unconfirmed.')).toBeVisible();
    await expect(dialog.getByText('1 call is still sealed.')).toBeVisible();
  });
});

test('a visitor verifies a record and a leaderboard of the sample data, and other figures or places are failures', async ({
  openBrowser,
}) => {
  const page = await openBrowser();
  await runCron();
  const record = await openVerifier(page, { path: '/caller/kenji_charts', title: 'Verify this record' });
  await record.verify();
  await expect(record.dialog.getByText('Verified', { exact: true })).toBeVisible();
  await expect(record.dialog.getByText('Solana confirms each to within 15 minutes.')).toBeVisible();
  await edited<CallerProfile>(reads.caller, (caller) => ({ ...caller, winRate: 99.9 }))(page);
  await record.verify();
  await expect(record.problems).toContainText('Don’t rely on the figures: the log gives others.');

  const list = await openVerifier(page, { path: '/?sort=proven', title: 'Verify this leaderboard' });
  await list.verify();
  await expect(list.dialog.getByText(/requests to the Solana endpoint/)).toBeVisible();
  await list.dialog.getByRole('button', { name: 'Continue' }).click();
  // Over a thousand requests.
  await expect(list.dialog.getByText('Verified', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(list.dialog.getByText(/The order is right, and nobody is missing\.$/)).toBeVisible();
  await edited<CallerListItem[]>(reads.callers, ([first, ...others]) => others.concat(first ?? []))(page);
  await list.verify();
  await list.dialog.getByRole('button', { name: 'No' }).click();
  await expect(list.problems).toContainText('Don’t rely on the order: the log gives another one.');
});

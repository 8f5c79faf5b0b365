import type { CallerListItem, CallerProfile } from '#schema/contracts/callers.ts';
import { expect, test } from './fixtures.ts';
import { edited, reads } from './responses.ts';
import { runCron } from './steps.ts';
import { openVerifier } from './verifier.ts';

test('a visitor verifies a sample record and leaderboard, and a changed figure or order fails', async ({
  page,
}) => {
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
  // Over a thousand requests.
  await expect(list.dialog.getByText('Verified', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(list.dialog.getByText(/The order is right, and nobody is missing\.$/)).toBeVisible();
  await edited<CallerListItem[]>(reads.callers, ([first, ...others]) => others.concat(first ?? []))(page);
  await list.verify();
  await expect(list.problems).toContainText('Don’t rely on the order: the log gives another one.');
});

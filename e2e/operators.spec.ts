import type { Page } from '@playwright/test';
import { localOperator } from '#dev/local-operator.ts';
import { OPERATOR_ACTIONS } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './steps.ts';
import { writeToDatabase } from './environment-database.ts';

const CALLER = 'kenji_charts';
/** A subscriber with paid subscriptions in the sample data. */
const PAYER = 'tobi_drift';
const LARGE_ORPHAN = '4'.repeat(87);
const STRANGER = 'Stranger1111111111111111111111111111111111';
const FAILURES = ['late', 'unwanted'];

/** Money that matches nothing, and messages that failed for an hour. */
function breakThings(): void {
  writeToDatabase((database) => {
    const orphan = database.prepare(`
      INSERT INTO payment_orphans (signature, reason, payer_address, platform_lamports, slot, paid_at, found_at)
      VALUES (?, 'payments.missing_reference', ?, ?, 1, 1, 1)`);
    orphan.run(LARGE_ORPHAN, 'SomebodyElse', 5_000_000);
    orphan.run('2'.repeat(87), STRANGER, 150_000);
    orphan.run('3'.repeat(87), STRANGER, 150_000);
    const event = database.prepare(
      "INSERT INTO failed_deliveries (event_id, id, messages, error, at) VALUES ('call_update:' || ?1, ?1, 3, 'Not sent in time', ?2)",
    );
    for (const id of FAILURES) event.run(id, Date.now());
  });
}

const acted: string[] = [];

async function find(page: Page, handle: string): Promise<void> {
  await page.getByLabel('Find a person').fill(handle);
  await page.getByLabel('Find a person').press('Enter');
}

/** An open page would be refused what it loads after its session ended. */
async function leave(visitor: Page): Promise<void> {
  await visitor.goto('about:blank');
}

/** Presses an action's button, gives the reason, and confirms. */
async function act(page: Page, action: string, about = `@${CALLER}`): Promise<void> {
  await page
    .getByRole('button', { name: `${action}: ${about}`, exact: true })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(`Browser test: ${action}`);
  await dialog.getByRole('button', { name: action, exact: true }).click();
  await expect(dialog).toBeHidden();
  acted.unshift(action);
}

// The visitor's open page polls a caller who is suspended or hidden in the meantime, and loads their calls' icons.
test.use({ refusedOnPurpose: /\/api\/(?:callers|token-calls\/caller|images\/active-calls)\// });

test('an operator finds a reported caller and acts, and every action is in the audit', async ({
  openBrowser,
}) => {
  const [page, visitor] = [await openBrowser(), await openBrowser()];
  const statusOf = async (path: string) => (await visitor.request.get(path)).status();

  await test.step('a visitor reports the caller', async () => {
    await signInAs(visitor, 'wary_reader');
    expect(await statusOf('/operators')).toBe(404);
    await visitor.goto(`/caller/${CALLER}`);
    await visitor.getByRole('button', { name: 'Report this caller' }).click();
    const dialog = visitor.getByRole('dialog');
    await dialog.getByLabel('Reason').selectOption('scam');
    await dialog.getByLabel('Details').fill('Asks for money in messages.');
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await expect(visitor.getByText('Report Sent')).toBeVisible();
  });

  await test.step('a visitor can reach no operator action', async () => {
    for (const action of OPERATOR_ACTIONS) {
      const data = { action, subjectId: LARGE_ORPHAN, reason: 'Mine.' };
      expect((await visitor.request.post('/api/operators/actions', { data })).status()).toBe(404);
    }
  });

  await test.step('the operator opens the console from the caller’s page', async () => {
    await signInAs(page, localOperator.handle);
    await page.goto(`/caller/${CALLER}`);
    await page.getByRole('link', { name: 'Operators', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Operators', level: 1 })).toBeVisible();
    await expect(page.getByText('Asks for money in messages.')).toBeVisible();
  });

  await test.step('an action without a reason is refused', async () => {
    await page
      .getByRole('button', { name: `Suspend: @${CALLER}`, exact: true })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Suspend', exact: true }).click();
    await expect(dialog.getByText('Give a reason of at least 3 characters.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('suspending and hiding show at once, and can be undone', async () => {
    await act(page, 'Suspend');
    await expect(page.getByText('Suspended', { exact: true })).toBeVisible();
    await visitor.goto(`/caller/${CALLER}`);
    await expect(visitor.getByText('This caller is suspended.').first()).toBeVisible();
    await act(page, 'End suspension');
    await act(page, 'Hide caller');
    expect(await statusOf(`/api/callers/${CALLER}`)).toBe(404);
    await act(page, 'Show caller');
    expect(await statusOf(`/api/callers/${CALLER}`)).toBe(200);
  });

  await test.step('the operator takes the other actions on people and texts', async () => {
    const bio = `bio of @${CALLER}`;
    await act(page, 'Hide text', bio);
    await visitor.goto(`/caller/${CALLER}`);
    await expect(visitor.getByText('Hidden by SolCallers')).toBeVisible();
    await act(page, 'Show text', bio);
    await act(page, 'Verify');
    await act(page, 'Remove verification');
    await act(page, 'Rebuild statistics');
    await act(page, 'Resolve reports', `caller of @${CALLER}`);
    await expect(page.getByText('There are no open reports.')).toBeVisible();
    await leave(visitor);
    await find(page, 'wary_reader');
    await act(page, 'End sessions', '@wary_reader');
    expect(await statusOf('/api/auth/user')).toBe(401);
  });

  await test.step('lost money and lost messages are resolved', async () => {
    breakThings();
    await page.reload();
    await page.getByRole('link', { name: `History of ${LARGE_ORPHAN}` }).click();
    await act(page, 'Resolve', LARGE_ORPHAN);
    const history = page.getByRole('list', { name: 'History of the payment' }).getByRole('listitem');
    await expect(history).toContainText(['Found as an orphan', 'Browser test: Resolve']);
    await act(page, 'Resolve small ones', STRANGER);
    await expect(page.getByText('All money matches a payment.')).toBeVisible();
    await act(page, 'Send again', `call_update ${FAILURES[0]}`);
    await act(page, 'Dismiss', `call_update ${FAILURES[1]}`);
    await expect(page.getByText('All messages were sent.')).toBeVisible();
  });

  await test.step('“I paid but can’t see calls”: payments, intents and access, with the chain’s view', async () => {
    await find(page, PAYER);
    await page.getByRole('button', { name: `Payments of @${PAYER}` }).click();
    await expect(page.getByRole('list', { name: 'Intents' }).getByRole('listitem').first()).toContainText(
      'SOL to @',
    );
    const access = page.getByRole('list', { name: 'Access' }).getByRole('listitem');
    await expect(access.filter({ hasText: 'Paid, until' }).first()).toBeVisible();
    const payment = page.getByRole('list', { name: 'Payments' }).getByRole('listitem').first();
    await payment.getByRole('button', { name: /^Chain: / }).click();
    await expect(payment.getByText(/^primary: /)).toBeVisible();
    await expect(payment.getByText(/^fallback: /)).toBeVisible();
    await payment.getByRole('link', { name: /^History of / }).click();
    await expect(page.getByRole('list', { name: 'History of the payment' })).toContainText('Period granted');
  });

  await test.step('“My Telegram is silent”: the chat, the switches and the last messages', async () => {
    await find(page, 'wary_reader');
    await page.getByRole('button', { name: 'Telegram of @wary_reader' }).click();
    await expect(page.getByText('No handle saved')).toBeVisible();
    await expect(page.getByText('No messages in the last 30 days.')).toBeVisible();
  });

  await test.step('“My call ended at a wrong price”: its quotes, a public note, and a pause with its banner', async () => {
    const ended = (await (await visitor.request.get('/api/token-calls/ended')).json()) as TokenCall[];
    const { id = '', tokenSymbol = '' } = ended[0] ?? {};
    await page.goto(`/call/${id}`);
    await page.getByRole('link', { name: 'Operators', exact: true }).click();
    await expect(page.getByRole('table', { name: 'Evidence' })).toContainText('Recorded');
    const about = `call of ${tokenSymbol}`;
    await act(page, 'Add note', about);
    // The shared cache has pages without the note and the banner for some seconds, so one wait serves both.
    await act(page, 'Pause', 'New payments');
    await expect(async () => {
      await visitor.goto(`/call/${id}`);
      await expect(visitor.getByText('Browser test: Add note')).toBeVisible({ timeout: 1_000 });
      const banner = visitor.getByRole('region', { name: 'Paused' });
      await expect(banner).toContainText('Browser test: Pause', { timeout: 1_000 });
    }).toPass();
    await act(page, 'Remove note', about);
  });

  await test.step('a pause stops new payments until it ends', async () => {
    await signInAs(visitor, 'wary_reader');
    const paid = (await (await visitor.request.get('/api/callers?paid=true&limit=1')).json()) as {
      id: string;
    }[];
    const openPayment = async () => {
      const data = { callerId: paid[0]?.id ?? '' };
      return (await visitor.request.post('/api/solana/get-latest-blockhash', { data })).status();
    };
    expect(await openPayment()).toBe(503);
    await act(page, 'Resume', 'New payments');
    expect(await openPayment()).not.toBe(503);
  });

  await test.step('“Delete my data”: the same deletion as the person would start', async () => {
    await leave(visitor);
    await find(page, 'wary_reader');
    await act(page, 'Delete account', '@wary_reader');
    await expect(page.getByText('Nobody found')).toBeVisible();
    expect(await statusOf('/api/auth/user')).toBe(401);
  });

  await test.step('the audit has every action, newest first', async () => {
    const reasons = page.getByRole('table', { name: 'Audit' }).getByText(/^Browser test: /);
    await expect(reasons).toHaveText(acted.map((action) => `Browser test: ${action}`));
    expect(new Set(acted).size).toBe(OPERATOR_ACTIONS.length);
  });
});

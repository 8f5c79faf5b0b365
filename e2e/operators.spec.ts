import type { Locator, Page } from '@playwright/test';
import { localOperator } from '#dev/local/local-operator.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { signInByScript } from './steps.ts';

const CALLER = 'kenji_charts';
/** A subscriber with paid subscriptions in the sample data. */
const PAYER = 'tobi_drift';

const acted: string[] = [];

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

/** Searches by keyboard. */
async function find(page: Page, search: string): Promise<void> {
  const field = page.getByLabel('Find a person, a payment or a call');
  await field.fill(search);
  await field.press('Enter');
}

/** Follows a link by keyboard. */
async function follow(page: Page, link: Locator): Promise<void> {
  await link.focus();
  await page.keyboard.press('Enter');
}

// The visitor's page requests the calls of a suspended caller.
test.use({ refusedOnPurpose: /\/api\/(?:callers|token-calls\/caller|images\/active-calls)\// });

test('an operator handles a reported caller and two support cases, and every action is in the audit', async ({
  openBrowser,
}) => {
  const [page, visitor] = [await openBrowser(), await openBrowser()];

  await test.step('a visitor reports the caller', async () => {
    await signInByScript(visitor.request, 'wary_reader');
    await visitor.goto(`/caller/${CALLER}`);
    await visitor.getByRole('button', { name: 'Report this caller' }).click();
    const dialog = visitor.getByRole('dialog');
    await dialog.getByLabel('Reason').selectOption('scam');
    await dialog.getByLabel('Details').fill('Asks for money in messages.');
    await expectAccessible(visitor, 'the report', { isOverlay: true });
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await expect(visitor.getByText('Report Sent')).toBeVisible();
    expect((await visitor.request.get('/operators')).status()).toBe(404);
  });

  await test.step('the operator opens the console from the caller’s page', async () => {
    await signInByScript(page.request, localOperator.handle);
    await page.goto(`/caller/${CALLER}`);
    await page.getByRole('link', { name: 'Operators', exact: true }).click();
    await expect(page.getByRole('heading', { name: `@${CALLER}`, level: 1 })).toBeVisible();
    await expectAccessible(page, 'a person in the console');
    await page.getByRole('link', { name: 'Now', exact: true }).click();
    await expect(page.getByText('Asks for money in messages.')).toBeVisible();
    await expectAccessible(page, 'the console');
    await page
      .getByRole('list', { name: 'Reports' })
      .getByRole('link', { name: `@${CALLER}` })
      .click();
  });

  await test.step('a suspension and a hidden text are visible immediately and can be undone', async () => {
    const bio = `bio of @${CALLER}`;
    await act(page, 'Suspend');
    await expect(page.getByText('Suspended', { exact: true })).toBeVisible();
    await act(page, 'Hide text', bio);
    await visitor.reload();
    await expect(visitor.getByText('This caller is suspended.').first()).toBeVisible();
    await expect(visitor.getByText('Hidden by SolCallers')).toBeVisible();
    // Leaves the page, because its next poll would be refused.
    await visitor.goto('about:blank');
    await act(page, 'End suspension');
    await act(page, 'Show text', bio);
    await page.getByRole('link', { name: 'Now', exact: true }).click();
    await act(page, 'Resolve reports', `caller of @${CALLER}`);
    await expect(page.getByText('There are no open reports.')).toBeVisible();
  });

  await test.step('by keyboard: a person with payments, one of the payments, and its transaction', async () => {
    await find(page, PAYER);
    await expect(page.getByRole('heading', { name: `@${PAYER}`, level: 1 })).toBeVisible();
    const payments = page.getByRole('list', { name: 'Subscriptions and payments' });
    await expect(payments).toContainText('SOL to @');
    await follow(page, payments.getByRole('link', { name: 'History' }).first());
    await expect(page.getByRole('heading', { name: 'Payment', level: 1 })).toBeVisible();
    const history = page.getByRole('list', { name: / SOL to @/ });
    await expect(history).toContainText('Period granted');
    await expect(history.getByRole('link').first()).toHaveAttribute('href', /^https:\/\/explorer\./);
  });

  await test.step('by keyboard: what we earned, in all and in one month', async () => {
    await follow(page, page.getByRole('link', { name: 'Earned', exact: true }));
    const months = page.getByRole('list', { name: 'Months' });
    await expect(months).toContainText('SOL');
    await expectAccessible(page, 'what we earned');
    await follow(page, months.getByRole('link').first());
    await expect(page.getByRole('heading', { name: /^What we earned in \d{4}-\d\d$/ })).toBeVisible();
  });

  await test.step('by keyboard: a call by its caller’s handle and symbol; then a public note and a pause', async () => {
    // A call whose page no earlier test has opened, so that the shared cache doesn't have it.
    const ended = (await (
      await visitor.request.get('/api/token-calls/ended?limit=50')
    ).json()) as TokenCall[];
    const { id = '', tokenSymbol = '', caller } = ended.at(-1) ?? {};
    await find(page, `${caller?.twitterHandle} ${tokenSymbol}`);
    await expect(page.getByText(tokenSymbol).first()).toBeVisible();
    await page.goto(`/operators/call/${id}`);
    await expect(page.getByRole('list', { name: 'Prices of each source' })).toContainText('Recorded');
    await act(page, 'Add note', `call of ${tokenSymbol}`);
    await page.getByRole('link', { name: 'Now', exact: true }).click();
    await act(page, 'Pause', 'New payments');
    await visitor.goto(`/call/${id}`);
    await expect(visitor.getByText('Browser test: Add note')).toBeVisible();
    const banner = visitor.getByRole('region', { name: 'Status' });
    await expect(banner).toContainText('Browser test: Pause');
    await act(page, 'Resume', 'New payments');
    await page.goto(`/operators/call/${id}`);
    await act(page, 'Remove note', `call of ${tokenSymbol}`);
  });

  await test.step('by keyboard: the audit has every action, newest first, and can be filtered', async () => {
    await follow(page, page.getByRole('link', { name: 'Audit', exact: true }).first());
    const reasons = page.getByRole('list', { name: 'Audit' }).getByText(/^Browser test: /);
    await expect(reasons).toHaveText(acted.map((action) => new RegExp(`^Browser test: ${action}`)));
    await expectAccessible(page, 'the audit');
    await page.getByLabel('Person, payment or pause').fill('payments');
    await page.getByLabel('Person, payment or pause').press('Enter');
    await expect(reasons).toHaveText([/: Resume/, /: Pause/]);
    await expect(page).toHaveURL(/\/operators\/audit\?subject=payments$/);
  });
});

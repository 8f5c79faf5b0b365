import { Connection, PublicKey } from '@solana/web3.js';
import {
  expect,
  type APIRequestContext,
  type BrowserContext,
  type Locator,
  type Page,
} from '@playwright/test';
import { DOCUMENT_VERSIONS } from '#schema/constants/people.ts';
import { START_AT_ONCE } from '#schema/rules/text/start-at-once.ts';
import { controlUrl, e2eSettings, solanaUrl } from './settings.ts';

const connection = new Connection(solanaUrl, 'confirmed');

/** Signs in with any handle through X's page. Ends on the dashboard. */
export async function signInAs(page: Page, handle: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign in with Twitter' }).first().click();
  await page.getByLabel('Or sign in as someone new').fill(handle);
  await page.getByLabel('Or sign in as someone new').press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Welcome, |Caller Dashboard/);
}

/** Signs in with any handle, by HTTP requests instead of clicks, and accepts the terms. */
export async function signInByScript(request: APIRequestContext, handle: string): Promise<void> {
  const start = await request.get('/api/auth/twitter', { maxRedirects: 0 });
  const result = await request.get(`${start.headers()['location']}&login_as=${handle}`);
  expect(new URL(result.url()).pathname).toBe('/dashboard');
  await acceptTerms(request);
}

/** Accepts the terms by an HTTP request. */
async function acceptTerms(request: APIRequestContext): Promise<void> {
  const accepted = await request.post('/api/user/acceptances', { data: DOCUMENT_VERSIONS });
  expect(accepted.status()).toBe(201);
}

/** Makes the signed-in user a caller, by an HTTP request. */
export async function becomeCaller(request: APIRequestContext, subscriptionPrice = ''): Promise<void> {
  const result = await request.post('/api/user/become-caller', { data: { subscriptionPrice } });
  expect(result.ok()).toBe(true);
}

/** Ticks the box in the Subscribe dialog without which Pay is disabled. */
export const startAtOnce = (dialog: Locator) =>
  dialog.getByRole('checkbox', { name: START_AT_ONCE.request }).check();

/** Presses the Local Wallet's airdrop button and waits for the new balance. */
export async function airdropToLocalWallet(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open Local Wallet' }).click();
  await page.getByRole('button', { name: 'Airdrop 5 SOL' }).click();
  await expect(page.getByRole('region', { name: 'Local Wallet' })).toContainText('5.0000 SOL');
  await page.getByRole('button', { name: 'Close Local Wallet' }).click();
}

/** The balance of an address in lamports, at commitment `confirmed`. */
export async function balanceOf(address: string): Promise<bigint> {
  return BigInt(await connection.getBalance(new PublicKey(address)));
}

/** Waits until the transactions that were sent so far are confirmed, and finalizes them. */
export async function finalizeSent(): Promise<void> {
  const sent = await connection.getSlot('processed');
  await expect.poll(() => connection.getSlot('confirmed')).toBeGreaterThan(sent);
  await finalizeTransactions();
}

/** Finalizes every confirmed transaction on the local chain. */
export async function finalizeTransactions(): Promise<void> {
  await control('/solana/finalize', {});
}

/** Asks for a refund on the receipt's page. */
export async function askForRefund(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Ask for a refund' });
  await button.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ask for a refund' }).click();
  await expect(page.getByText('Refund asked for')).toBeVisible();
}

/** Refunds from the open dialog, and lets the cron find the transfer. */
export async function refund(page: Page, amount: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Refund this payment' });
  await dialog.getByRole('button', { name: `Refund ${amount} SOL` }).click();
  await expect(dialog).toBeHidden();
  // The transfer may land after the dialog has closed, and after a search that came too early the next one is half a minute later.
  await expect(async () => {
    await finalizeSent();
    await runCron();
    await expect(page.getByText('Refunded by the caller')).toBeVisible({ timeout: 4_000 });
  }).toPass({ timeout: 75_000 });
}

/** Pins a token's price at both price sources. */
export async function pinPrice(mint: string, price: number): Promise<void> {
  await control('/prices', { mint, price });
}

/** Sets the fields that X sends about an account at its next sign-in. */
export async function setXAccount(handle: string, fields: Readonly<Record<string, string>>): Promise<void> {
  await control('/x/account', { handle, fields });
}

/** Presses Start in the bot's chat. Returns the chat's id. */
export async function pressStart(handle: string, payload: string): Promise<number> {
  const { chatId } = (await control('/telegram/start', { handle, payload })) as { chatId: number };
  return chatId;
}

/** The texts of a chat on the local Telegram, oldest first. */
export async function messagesIn(chatId: number): Promise<string[]> {
  const messages = (await (await fetch(`${controlUrl}/messages?chatId=${chatId}`)).json()) as {
    text: string;
  }[];
  return messages.map(({ text }) => text);
}

/** Makes a Solana RPC method fail; `null` removes all faults. */
export async function failSolana(fault: { path: string } | null): Promise<void> {
  if (fault) return void (await control('/faults', { service: 'solana', status: 503, ...fault }));
  expect((await fetch(`${controlUrl}/faults`, { method: 'DELETE' })).status).toBe(200);
}

/** Sets the least that a payment must offer per compute unit. Otherwise it never lands. */
export async function setSolanaLoad(microLamports: number): Promise<void> {
  await control('/solana/load', { microLamports });
}

export async function runCron(): Promise<void> {
  expect((await fetch(`${e2eSettings.productUrl}/cdn-cgi/handler/scheduled`)).status).toBe(200);
}

/** Runs the cron again if needed: a run that started before the change, each minute, may hold the job's lease. */
export async function runCronUntilVisible(target: Locator): Promise<void> {
  await expect(async () => {
    await runCron();
    await expect(target).toBeVisible({ timeout: 4_000 });
  }).toPass({ timeout: 30_000 });
}

/** Sets whether the Local Wallet signs without asking. */
export async function setAutoApprove(page: Page, isAutomatic: boolean): Promise<void> {
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    'local-wallet:auto-approve',
    isAutomatic ? '1' : '0',
  ] as const);
}

/** Sets, for all pages opened later, whether the Local Wallet signs without asking. */
export function presetAutoApprove(target: BrowserContext | Page, isAutomatic: boolean): Promise<void> {
  return presetStorage(target, { 'local-wallet:auto-approve': isAutomatic ? '1' : '0' });
}

/** Sets entries of `localStorage` in all pages opened later. */
export async function presetStorage(
  target: BrowserContext | Page,
  entries: Readonly<Record<string, string>>,
): Promise<void> {
  await target.addInitScript((values) => {
    // about:blank and the browser's error pages have no storage.
    if (!location.protocol.startsWith('http')) return;
    for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value);
  }, entries);
}

/** Sends a request to the control API of the local environment. */
export async function control(path: string, body: object): Promise<unknown> {
  const response = await fetch(`${controlUrl}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBeLessThan(300);
  return response.json();
}

/** Becomes a caller for 0.5 SOL, from the dashboard. */
export async function becomePaidCaller(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Apply' }).click();
  const dialog = page.getByRole('dialog', { name: 'Become a Caller' });
  await dialog.getByRole('radio', { name: 'Paid' }).check();
  await dialog.getByLabel('Monthly fee').fill('0.5');
  await dialog.getByRole('checkbox', { name: /^I have read and accept/ }).check();
  await dialog.getByRole('button', { name: 'Become a Caller' }).click();
  await expect(dialog).toBeHidden();
}

/** Connects the Local Wallet as the payout wallet. Ends on the settings. */
export async function connectPayoutWallet(page: Page): Promise<void> {
  // A transfer that leaves an account below the rent-exempt minimum fails, so the wallet needs SOL first.
  await page.goto('/settings/wallets');
  await airdropToLocalWallet(page);
  await page.getByRole('button', { name: 'Connect Wallet' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect Wallet' });
  await dialog.getByRole('button', { name: /Local Wallet/ }).click();
  await expect(page.getByText('Wallet Added', { exact: true })).toBeVisible();
  // A dialog goes back in the history when it closes, which would cancel the test's next navigation.
  await expect(dialog).toHaveCount(0);
}

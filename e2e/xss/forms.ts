import type { Page } from '@playwright/test';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { expect } from '../fixtures.ts';
import {
  accountOf,
  END_PRICE,
  ENTRY_PRICE,
  expectTexts,
  navigate,
  openCall,
  paste,
  pinAll,
  type Entry,
  type JourneyOptions,
} from './fixtures.ts';
import type { Counts } from './counts.ts';

/** Types the payloads into the forms of a new caller's dashboard and settings. */
export async function becomeCallerAndCall(entries: readonly Entry[], options: JourneyOptions): Promise<void> {
  const { caller, follower, counts } = options;
  await caller.addInitScript(
    registerWallets,
    entries.map(({ text }) => text),
  );
  await caller.goto('/settings/notifications');
  for (const { text } of entries) await saveTelegramUsername(caller, text);
  await caller.goto('/dashboard');
  await caller.getByRole('button', { name: 'Apply' }).click();
  await caller.getByRole('dialog').getByRole('radio', { name: 'Paid' }).check();
  for (const { text } of entries) await paste(caller.getByRole('dialog').getByLabel('Monthly fee'), text);
  await caller.getByRole('dialog').getByRole('radio', { name: 'Free' }).check();
  await caller.getByRole('dialog').getByRole('button', { name: 'Become a Caller' }).click();
  await expect(caller.getByRole('dialog')).toHaveCount(0);
  const { id: callerId } = await accountOf(caller.request);
  expect((await follower.request.post('/api/subscriptions/free', { data: { callerId } })).ok()).toBe(true);
  await caller.reload();

  await caller.getByRole('button', { name: 'Edit monthly fee' }).click();
  await caller.getByRole('radio', { name: 'Paid' }).check();
  for (const { text } of entries) await paste(caller.getByLabel('Monthly fee'), text);
  await caller.getByRole('button', { name: 'Cancel' }).click();
  for (const entry of entries) await makeCall(entry, { caller, callerId, counts });

  await caller.goto('/settings/wallets');
  await showWallets(entries, options);
  await caller.goto('/dashboard');
  const calls = caller.getByRole('list', { name: 'Active Calls' });
  await expect(calls.getByRole('listitem')).toHaveCount(entries.length);
  await expectTexts(calls, entries);
  for (const [index, { text }] of entries.entries()) {
    await calls
      .getByRole('button', { name: /^Update / })
      .nth(index)
      .click();
    const dialog = caller.getByRole('dialog');
    await dialog.getByLabel('Message').fill(text);
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect(dialog).toHaveCount(0);
    counts.enter('update message', true);
  }
  await openActiveCalls({ callerId, entries, ...options });
  await endAndShare(entries, options);
}

async function saveTelegramUsername(caller: Page, text: string): Promise<void> {
  const field = caller.getByLabel('Telegram username');
  await field.fill(text);
  await caller.getByRole('button', { name: 'Connect Telegram' }).click();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
}

/**
 * Searches for the payload. Then looks up the token with this name, and calls it with the payload as the
 * thesis.
 */
async function makeCall(
  { text, mint }: Entry,
  { caller, callerId, counts }: { caller: Page; callerId: string; counts: Counts },
): Promise<void> {
  const field = caller.getByLabel('Find a token');
  const option = caller.getByRole('option').filter({ hasText: mint });
  // Three groups share the token search's budget, which may be used up for a few seconds.
  await expect(async () => {
    await field.fill(text);
    await field.press('Enter');
    await expect(
      option.or(caller.getByText(/^(?:Token not found|Type at least.*|Use at most.*)$/)).first(),
    ).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
  counts.enter('token search', await option.isVisible());

  await field.fill(mint);
  await field.press('Enter');
  const button = caller.getByRole('button', { name: 'Make Call' });
  await expect(button).toBeVisible();
  await expectTexts(caller.locator('#main'), [{ number: 0, text }]);
  await caller.getByText('Thesis, target, stop').click();
  await caller.getByLabel('Thesis').fill(text);
  for (const level of ['Target price', 'Stop price']) await caller.getByLabel(level).fill(text);
  await button.click();
  await expect(caller.getByLabel('Target price')).toHaveAttribute('aria-invalid', 'true');
  for (const level of ['Target price', 'Stop price']) await caller.getByLabel(level).fill('');
  const [response] = await Promise.all([
    caller.waitForResponse(
      (each) => each.request().method() === 'POST' && each.url().endsWith('/api/token-calls'),
    ),
    button.click(),
  ]);
  const isMade = response.status() === 201;
  expect([201, 400]).toContain(response.status());
  // A symbol over 32 characters or a name over 80 is refused. Then the call is made by a request without the
  // form.
  if (!isMade) {
    expect((await openCall({ request: caller.request, callerId, mint, thesis: text })).status()).toBe(201);
    await field.fill('');
  }
  await expect(field).toHaveValue('');
  for (const name of ['token symbol', 'token name', 'token icon and links', 'thesis'] as const) {
    counts.enter(name, isMade || name === 'thesis');
  }
}

async function openActiveCalls({
  callerId,
  entries,
  follower,
}: JourneyOptions & { callerId: string; entries: readonly Entry[] }): Promise<void> {
  const response = await follower.request.get(`/api/token-calls/caller/${callerId}/active`);
  const calls = (await response.json()) as TokenCall[];
  expect(calls).toHaveLength(entries.length);
  await follower.goto(`/caller/${callerId}`);
  await expectTexts(follower.locator('#main'), entries);
  for (const { id, tokenName } of calls) {
    await navigate(follower, `/call/${id}`);
    await expectTexts(follower.getByRole('heading', { level: 1 }), [{ number: 0, text: tokenName }]);
    await expect(follower.getByText('Update', { exact: true })).toBeVisible();
  }
}

async function endAndShare(entries: readonly Entry[], { caller, counts }: JourneyOptions): Promise<void> {
  await pinAll(entries, END_PRICE);
  await caller.getByRole('button', { name: /^End / }).first().click();
  await caller.getByRole('dialog').getByRole('button', { name: 'End call' }).click();
  await expect(caller.getByRole('dialog')).toHaveCount(0);
  await pinAll(entries, ENTRY_PRICE);
  await caller.getByRole('button', { name: /^Share / }).click();
  const tweet = caller.getByRole('dialog').getByLabel('Tweet');
  for (const { text } of entries) {
    await tweet.fill(text);
    counts.enter('tweet', true);
  }
  await caller.getByRole('button', { name: 'Cancel' }).click();
}

/** Opens the list of the browser's wallets, which have the payloads as names. */
async function showWallets(entries: readonly Entry[], { caller, counts }: JourneyOptions): Promise<void> {
  await caller.getByRole('button', { name: 'Connect Wallet' }).click();
  const dialog = caller.getByRole('dialog');
  await expectTexts(dialog.getByRole('list', { name: 'Wallets' }), entries);
  const sources = await dialog
    .locator('img')
    .evaluateAll((images) => images.map((image) => image.getAttribute('src')));
  for (const { text } of entries) {
    counts.enter('wallet name', true);
    counts.enter('wallet icon', sources.includes(text));
  }
  await caller.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

/** Runs in the page: adds wallets with these names and icons. Names with the same letters count as one wallet. */
function registerWallets(texts: readonly string[]): void {
  const wallets = texts.map((text, index) => ({
    version: '1.0.0',
    name: `${text} ${index}`,
    icon: text,
    chains: ['solana:mainnet'],
    accounts: [],
    features: { 'standard:connect': {}, 'solana:signAndSendTransaction': {} },
  }));
  window.addEventListener('wallet-standard:app-ready', (event) => {
    const { register } = (event as CustomEvent<{ register: (wallet: object) => void }>).detail;
    for (const wallet of wallets) register(wallet);
  });
}

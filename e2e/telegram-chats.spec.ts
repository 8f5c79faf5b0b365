import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import {
  airdropToLocalWallet,
  askForRefund,
  becomeCaller,
  connectPayoutWallet,
  finalizeTransactions,
  pinPrice,
  refund,
  runCron,
  signInByScript,
  startAtOnce,
} from './steps.ts';

const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';

const BOT = 'SolCallers (local)';
const CHAT = 'Gina’s Calls';

const log = (telegram: Page) => telegram.getByRole('log');

/** Follows a link of the site to the local Telegram as this person. */
async function openTelegram(telegram: Page, link: string | null, username: string): Promise<void> {
  await telegram.goto(link ?? '');
  await telegram.getByLabel('Telegram username').fill(username);
  await telegram.getByRole('button', { name: 'Open' }).click();
}

async function openChat(telegram: Page, name: string): Promise<void> {
  await telegram.getByText(/: all chats$/).click();
  await telegram.getByRole('link', { name, exact: true }).click();
  await expect(telegram.getByRole('heading', { level: 1 })).toHaveText(name);
}

async function write(telegram: Page, text: string): Promise<void> {
  await telegram.getByRole('textbox', { name: 'Message' }).fill(text);
  await telegram.getByRole('button', { name: 'Send' }).click();
}

/** Presses a button of the bot's newest message. */
const press = (telegram: Page, name: string) =>
  log(telegram).getByRole('button', { name, exact: true }).last().click();

test('a subscriber pays to join a caller’s private Telegram group, reads a call, and is removed after a refund', async ({
  openBrowser,
}) => {
  const caller = await openBrowser();
  const callerTelegram = await openBrowser();
  const subscriber = await openBrowser();
  const subscriberTelegram = await openBrowser();
  const chats = caller.locator('section', {
    has: caller.getByRole('heading', { name: 'Telegram Channel and Group' }),
  });
  await pinPrice(WIF, 2);

  await test.step('a Paid caller connects Telegram and switches calls from the chat on', async () => {
    await signInByScript(caller.context().request, 'gina_new');
    await becomeCaller(caller.request, '0.5');
    await connectPayoutWallet(caller);
    await caller.goto('/dashboard');
    await caller.getByRole('link', { name: 'Telegram Notifications' }).click();
    await caller.getByRole('button', { name: 'Connect Telegram' }).click();
    await openTelegram(
      callerTelegram,
      await caller.getByRole('link', { name: 'Open the bot' }).getAttribute('href'),
      'gina_tele',
    );
    await callerTelegram.getByRole('button', { name: 'Start' }).click();
    await caller.getByRole('switch', { name: 'Calls from this chat' }).click();
    await expect(caller.getByRole('switch', { name: 'Calls from this chat' })).toBeChecked();
  });

  await test.step('the caller adds the bot to a private group and confirms with Yes', async () => {
    await callerTelegram.getByText(/: all chats$/).click();
    await callerTelegram.getByLabel('Name of a new chat').fill(CHAT);
    await callerTelegram.getByRole('button', { name: 'New group' }).click();
    await openTelegram(
      callerTelegram,
      await chats.getByRole('link', { name: 'Add to a group' }).getAttribute('href'),
      'gina_tele',
    );
    await callerTelegram.getByRole('button', { name: CHAT }).click();
    await openChat(callerTelegram, BOT);
    await press(callerTelegram, 'Yes');
    await expect(log(callerTelegram)).toContainText('Your calls are posted in the group');
  });

  await test.step('a call from the chat is posted in the group', async () => {
    await write(callerTelegram, `/call ${WIF}`);
    await expect(log(callerTelegram)).toContainText('Price: $2.0000');
    await press(callerTelegram, 'Confirm');
    await expect(log(callerTelegram)).toContainText('Your call is now active.');
    await openChat(callerTelegram, CHAT);
    await expect(log(callerTelegram)).toContainText('Entry: $2.0000');
  });

  await test.step('a stranger asks to join, and the bot leads them through sign-in and payment', async () => {
    await runCron();
    await caller.reload();
    const link = await chats.getByText(/\/telegram\/\+/).textContent();
    await openTelegram(subscriberTelegram, link, 'hugo_tele');
    await subscriberTelegram.getByRole('button', { name: 'Request to join' }).click();
    await expect(subscriberTelegram.getByText(/^You asked to join/)).toBeVisible();
    await openChat(subscriberTelegram, BOT);
    const access = log(subscriberTelegram).getByRole('link', { name: 'Get access' });
    await subscriber.goto((await access.getAttribute('href')) ?? '');
    await airdropToLocalWallet(subscriber);
    await subscriber.getByRole('link', { name: 'Sign in with Twitter' }).first().click();
    await subscriber.getByLabel('Or sign in as someone new').fill('hugo_new');
    await subscriber.getByLabel('Or sign in as someone new').press('Enter');
    const dialog = subscriber.getByRole('dialog');
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('button', { name: /Local Wallet/ }).click();
    await startAtOnce(dialog);
    await dialog.getByRole('button', { name: 'Pay 0.5000 SOL' }).click();
    await dialog.getByRole('button', { name: 'Connect Telegram' }).click();
    const start = await dialog.getByRole('link', { name: 'Open the bot' }).getAttribute('href');
    await openTelegram(subscriberTelegram, start, 'hugo_tele');
  });

  await test.step('the subscriber presses Start, enters the group and reads the call', async () => {
    await subscriberTelegram.getByRole('button', { name: 'Start' }).click();
    await expect(log(subscriberTelegram)).toContainText('You can read');
    await openChat(subscriberTelegram, CHAT);
    await expect(log(subscriberTelegram)).toContainText('Entry: $2.0000');
    await expect(log(subscriberTelegram)).toContainText('Forwarding not allowed');
  });

  await test.step('the caller ends the call from the chat, and members read the result', async () => {
    await openChat(callerTelegram, BOT);
    await write(callerTelegram, '/end');
    await press(callerTelegram, 'Confirm');
    await expect(log(callerTelegram)).toContainText('ended at $2.0000');
    await expect(log(subscriberTelegram)).toContainText('Result: 0.0%');
  });

  await test.step('a refund ends the access, and the subscriber is removed from the group', async () => {
    await caller.goto('/payments/earnings');
    await caller.getByRole('link', { name: / receipt: / }).click();
    await expect(async () => {
      await finalizeTransactions();
      await runCron();
      await caller.reload();
      await caller.getByRole('button', { name: 'Refund', exact: true }).click({ timeout: 1_000 });
    }).toPass();
    await subscriber.goto('/payments');
    await subscriber.getByRole('link', { name: / receipt: / }).click();
    await askForRefund(subscriber);
    await subscriber.goto('about:blank');
    await caller.reload();
    await caller.getByRole('button', { name: 'Refund', exact: true }).click();
    await refund(caller, '0.4500');
    await expect(async () => {
      await subscriberTelegram.reload();
      await expect(subscriberTelegram.getByText(/^This chat is private/)).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(log(subscriberTelegram)).not.toContainText('Result');
  });
});

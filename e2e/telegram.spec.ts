import { expect, test } from './fixtures.ts';
import { messagesIn, pinPrice, pressStart, setBotBlocked, signInAs } from './steps.ts';

const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';

test('a follower connects Telegram, and what their caller writes about a call arrives there', async ({ openBrowser }) => {
  const caller = await openBrowser();
  const follower = await openBrowser();
  let chatId = 0;
  await pinPrice(WIF, 2);

  await test.step('somebody becomes a free caller and makes a call', async () => {
    await signInAs(caller, 'tara_new');
    await caller.getByRole('button', { name: 'Apply' }).click();
    await caller.getByRole('dialog').getByRole('button', { name: 'Become a Caller' }).click();
    await caller.getByLabel('Token address').fill(WIF);
    await caller.getByLabel('Token address').press('Enter');
    await caller.getByRole('button', { name: 'Make Call' }).click();
    await expect(caller.getByRole('button', { name: 'Update WIF' })).toBeVisible();
  });

  await test.step('a follower saves their handle and opens the bot’s link', async () => {
    await signInAs(follower, 'finn_new');
    const { id: callerId } = (await (await caller.request.get('/api/auth/user')).json()) as { id: string };
    expect((await follower.request.post('/api/subscriptions/free', { data: { callerId } })).status()).toBe(201);
    await follower.getByLabel('Telegram username').fill('finn_tele');
    await follower.getByRole('button', { name: 'Connect Telegram' }).click();
    await expect(follower.getByText('Telegram Handle Saved', { exact: true })).toBeVisible();
    await expect(follower.getByText('Pending', { exact: true })).toBeVisible();
    const href = await follower.getByRole('link', { name: 'Open the bot' }).getAttribute('href');
    chatId = await pressStart('finn_tele', new URL(href ?? '').searchParams.get('start') ?? '');
    expect((await messagesIn(chatId)).at(-1)).toContain('@finn_new follows');
  });

  await test.step('the card says so', async () => {
    await follower.getByRole('button', { name: 'Check again' }).click();
    await expect(follower.getByText('Connected', { exact: true })).toBeVisible();
    await expect(follower.getByText('@finn_tele')).toBeVisible();
  });

  const sendUpdate = async (message: string) => {
    await caller.getByRole('button', { name: 'Update WIF' }).click();
    const dialog = caller.getByRole('dialog', { name: 'Update on WIF' });
    await dialog.getByLabel('Message').fill(message);
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect(dialog).toBeHidden();
  };

  await test.step('the caller writes an update, which the queue delivers', async () => {
    await sendUpdate('Take half off. <b>Really</b>');
    await expect(caller.getByText('Your update was sent to all subscribers via Telegram: 1 recipient.', { exact: true })).toBeVisible();
    await expect.poll(async () => (await messagesIn(chatId)).at(-1)).toMatch(/^Update on \u2068WIF\u2069 from .*\(@tara_new\)\n\nTake half off\. <b>Really<\/b>\n\nhttp/);
  });

  await test.step('who blocks the bot is no longer connected', async () => {
    await setBotBlocked('finn_tele', true);
    await sendUpdate('Still there?');
    await expect
      .poll(async () => ((await (await follower.request.get('/api/auth/user')).json()) as { telegramConnected: boolean }).telegramConnected)
      .toBe(false);
  });
});

import type { APIRequestContext } from '@playwright/test';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { expect, test } from './fixtures.ts';
import { becomeCaller, messagesIn, pinPrice, signInByScript } from './steps.ts';

/** A token with HTML and Markdown in its symbol and name. */
const MARKUP = 'StandinMarkupXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX';
const MARKUP_SYMBOL = '<b>GM';

/** A message's first line without the invisible characters that isolate names and prevent links. */
const firstLineOf = (text: string) => (text.split('\n')[0] ?? '').replaceAll(/[\u2060\u2066-\u2069]/g, '');

const accountOf = async (request: APIRequestContext) =>
  (await (await request.get('/api/auth/user')).json()) as CurrentUser;

// Specification 4.31, 4.32, 6.13, 6.17, 8.35, 8.39, 2.72, 2.73
test('a follower connects Telegram, gets the caller’s messages, and disconnects', async ({ openBrowser }) => {
  test.setTimeout(240_000);
  const caller = await openBrowser();
  const follower = await openBrowser();
  const chat = await openBrowser();
  const card = follower.locator('section', {
    has: follower.getByRole('heading', { name: 'Telegram Notifications' }),
  });
  let chatId = 0;
  const readFirstLines = async () => (await messagesIn(chatId)).map(firstLineOf);
  /** Waits for a message with this first line and returns its text. */
  const waitForMessage = async (first: string): Promise<string> => {
    await expect.poll(readFirstLines, { timeout: 30_000 }).toContain(first);
    return (await messagesIn(chatId)).findLast((text) => firstLineOf(text) === first) ?? '';
  };

  await test.step('one person becomes a Free caller, another follows them', async () => {
    await signInByScript(caller.context().request, 'tara_new');
    await becomeCaller(caller.request);
    await caller.goto('/settings/notifications');
    await expect(caller.getByText('Nothing sent yet')).toBeVisible();
    await caller.goto('/dashboard');
    await signInByScript(follower.context().request, 'finn_new');
    const data = { callerId: (await accountOf(caller.request)).id };
    expect((await follower.request.post('/api/subscriptions/free', { data })).status()).toBe(201);
    await follower.goto('/dashboard');
    await expect(
      follower.getByRole('list', { name: 'Your Subscriptions' }).getByRole('listitem'),
    ).toHaveCount(1);
    await expect(follower.getByRole('button', { name: / on Telegram$/ })).toHaveCount(0);
    await follower.getByRole('link', { name: 'Telegram Notifications' }).click();
  });

  await test.step('the link has a QR code', async () => {
    await card.getByLabel('Telegram username').fill('finn_tele');
    await card.getByRole('button', { name: 'Connect Telegram' }).click();
    await expect(follower.getByText('Telegram Handle Saved', { exact: true })).toBeVisible();
    await expect(card.getByText('Pending', { exact: true })).toBeVisible();
    await chat.goto((await card.getByRole('link', { name: 'Open the bot' }).getAttribute('href')) ?? '');
    await expect(card.getByRole('img', { name: 'QR code that opens the bot' })).toBeVisible();
    await expect(card.getByText(/^This link works once, within a day/)).toBeVisible();
    await chat.goto(`${chat.url()}&as=finn_tele`);
  });

  await test.step('pressing Start connects the follower’s chat, and the card shows it without a reload', async () => {
    await chat.getByRole('button', { name: 'Start', exact: true }).click();
    await expect(chat.getByRole('log')).toContainText('Connected');
    await expect(card.getByText('Connected', { exact: true })).toBeVisible();
    await expect(card.getByText('@finn_tele')).toBeVisible();
    const { id } = (
      (await (
        await chat.request.get(new URL('/telegram/_chat/chat?handle=finn_tele', chat.url()).href)
      ).json()) as { chat: { id: number } }
    ).chat;
    chatId = id;
  });

  await test.step('a call, an update and an end arrive, with markup as plain text', async () => {
    await pinPrice(MARKUP, 2);
    await caller.getByLabel('Find a token').fill(MARKUP);
    await caller.getByLabel('Find a token').press('Enter');
    await caller.getByRole('button', { name: 'Make Call' }).click();
    expect(
      await waitForMessage(
        `New call: ${MARKUP_SYMBOL} (Click [here](https://t.me/scam) & _win_) by Tara New (@tara_new)`,
      ),
    ).toContain(MARKUP);
    await caller.getByRole('button', { name: `Update ${MARKUP_SYMBOL}`, exact: true }).click();
    const dialog = caller.getByRole('dialog');
    await dialog.getByLabel('Message').fill('Take half off. <b>Really</b> [now](https://t.me/scam) *now*');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect(dialog).toBeHidden();
    const sent = 'Your update was sent to all subscribers via Telegram: 1 recipient.';
    await expect(caller.getByText(sent, { exact: true })).toBeVisible();
    expect(await waitForMessage(`Update on ${MARKUP_SYMBOL} from Tara New (@tara_new)`)).toContain(
      '\n\nTake half off. <b>Really</b> [now](https://t.me/scam) *now*\n\nhttp',
    );
    await pinPrice(MARKUP, 1);
    await caller.getByRole('button', { name: `End ${MARKUP_SYMBOL}`, exact: true }).click();
    await dialog.getByRole('button', { name: 'End call' }).click();
    expect(
      await waitForMessage(
        `Call ended: ${MARKUP_SYMBOL} (Click [here](https://t.me/scam) & _win_) by Tara New (@tara_new)`,
      ),
    ).toContain('-50.0%');
  });

  await test.step('the caller sees how many followers got the message, but not who', async () => {
    await caller.goto('/settings/notifications');
    const log = caller.getByRole('list', { name: 'Telegram Delivery' });
    await expect(log.getByRole('listitem')).toHaveText([
      /^Call ended: <b>GM.*Delivered to 1 of 1/,
      /^Update: <b>GM.*Delivered to 1 of 1/,
      /^New call: <b>GM.*Delivered to 1 of 1/,
    ]);
    await expect(log).not.toContainText('finn');
  });

  await test.step('/stop disconnects the chat, and the page shows it', async () => {
    await chat.getByRole('textbox', { name: 'Message' }).fill('/stop');
    await chat.getByRole('button', { name: 'Send' }).click();
    await expect.poll(async () => (await accountOf(follower.request)).telegramConnected).toBe(false);
    await follower.reload();
    await expect(card.getByText('Pending', { exact: true })).toBeVisible();
    await expect(card.getByRole('button', { name: 'Get a new link' })).toBeVisible();
    await follower.goto('/dashboard');
    await expect(follower.getByRole('button', { name: / on Telegram$/ })).toHaveCount(0);
  });
});

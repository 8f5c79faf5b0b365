import type { APIRequestContext, Page } from '@playwright/test';
import type { ConnectTelegramResponse, NotificationSettings } from '#schema/contracts/notifications.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { expect, test } from './fixtures.ts';
import { becomeCaller, messagesIn, pinPrice, pressStart, setBotBlocked, signInByScript } from './steps.ts';

const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
/** A token with HTML and Markdown in its symbol and name. */
const MARKUP = 'StandinMarkupXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX';
const MARKUP_SYMBOL = '<b>GM';

/** A message's first line without the invisible characters that isolate names and prevent links. */
const firstLineOf = (text: string) => (text.split('\n')[0] ?? '').replaceAll(/[\u2060\u2066-\u2069]/g, '');

async function makeCall(
  caller: Page,
  { mint, symbol, price }: { mint: string; symbol: string; price: number },
): Promise<void> {
  await pinPrice(mint, price);
  await caller.getByLabel('Find a token').fill(mint);
  await caller.getByLabel('Find a token').press('Enter');
  await caller.getByRole('button', { name: 'Make Call' }).click();
  await expect(caller.getByRole('button', { name: `Update ${symbol}`, exact: true })).toBeVisible();
}

async function sendUpdate(
  caller: Page,
  { symbol, message, toast }: { symbol: string; message: string; toast: readonly [string, string] },
): Promise<void> {
  await caller.getByRole('button', { name: `Update ${symbol}`, exact: true }).click();
  const dialog = caller.getByRole('dialog', { name: `Send an update on ${symbol}` });
  await dialog.getByLabel('Message').fill(message);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(dialog).toBeHidden();
  for (const text of toast) await expect(caller.getByText(text, { exact: true })).toBeVisible();
}

async function endCall(caller: Page, symbol: string): Promise<void> {
  await caller.getByRole('button', { name: `End ${symbol}`, exact: true }).click();
  const dialog = caller.getByRole('dialog');
  await dialog.getByRole('button', { name: 'End call' }).click();
  // A gain within ten minutes doesn't count, so the dialog asks for a second click.
  const anyway = dialog.getByRole('button', { name: 'End anyway' });
  await expect(anyway.or(caller.getByText('Call Ended', { exact: true })).first()).toBeVisible();
  if (await anyway.isVisible()) await anyway.click();
  await expect(dialog).toHaveCount(0);
  await expect(caller.getByRole('button', { name: `End ${symbol}`, exact: true })).toHaveCount(0);
}

async function follow(request: APIRequestContext, callerId: string): Promise<void> {
  expect((await request.post('/api/subscriptions/free', { data: { callerId } })).status()).toBe(201);
}

const accountOf = async (request: APIRequestContext) =>
  (await (await request.get('/api/auth/user')).json()) as CurrentUser;
const settingsOf = async (request: APIRequestContext) =>
  (await (await request.get('/api/user/notifications')).json()) as NotificationSettings;

// Specification 4.31, 4.32, 6.13, 6.17, 8.35, 8.39
test('a follower connects Telegram, gets the chosen messages, and disconnects', async ({ openBrowser }) => {
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
    await caller.goto('/dashboard');
    await expect(caller.getByText('Nothing sent yet')).toBeVisible();
    await signInByScript(follower.context().request, 'finn_new');
    await follow(follower.request, (await accountOf(caller.request)).id);
    await follower.goto('/dashboard');
    await expect(
      follower.getByRole('list', { name: 'Your Subscriptions' }).getByRole('listitem'),
    ).toHaveCount(1);
    await expect(follower.getByRole('button', { name: / on Telegram$/ })).toHaveCount(0);
  });

  const openChat = async (handle: string) => {
    await card.getByLabel('Telegram username').fill(handle);
    await card.getByRole('button', { name: 'Connect Telegram' }).click();
    await expect(follower.getByText('Telegram Handle Saved', { exact: true })).toBeVisible();
    await expect(card.getByText('Pending', { exact: true })).toBeVisible();
    await chat.goto((await card.getByRole('link', { name: 'Open the bot' }).getAttribute('href')) ?? '');
  };

  await test.step('the link has a QR code', async () => {
    await openChat('finn_tele');
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
  const greeting = (await readFirstLines()).length;

  await test.step('a call, an update and an end arrive, with markup as plain text', async () => {
    await makeCall(caller, { mint: MARKUP, symbol: MARKUP_SYMBOL, price: 2 });
    expect(
      await waitForMessage(
        `New call: ${MARKUP_SYMBOL} (Click [here](https://t.me/scam) & _win_) by Tara New (@tara_new)`,
      ),
    ).toContain(MARKUP);
    await sendUpdate(caller, {
      symbol: MARKUP_SYMBOL,
      message: 'Take half off. <b>Really</b> [now](https://t.me/scam) *now*',
      toast: ['Update Sent', 'Your update was sent to all subscribers via Telegram: 1 recipient.'],
    });
    expect(await waitForMessage(`Update on ${MARKUP_SYMBOL} from Tara New (@tara_new)`)).toContain(
      '\n\nTake half off. <b>Really</b> [now](https://t.me/scam) *now*\n\nhttp',
    );
    await pinPrice(MARKUP, 1);
    await endCall(caller, MARKUP_SYMBOL);
    expect(
      await waitForMessage(
        `Call ended: ${MARKUP_SYMBOL} (Click [here](https://t.me/scam) & _win_) by Tara New (@tara_new)`,
      ),
    ).toContain('-50.0%');
  });

  await test.step('the caller sees how many followers got the message, but not who', async () => {
    await caller.reload();
    const log = caller.getByRole('list', { name: 'Telegram Delivery' });
    await expect(log.getByRole('listitem')).toHaveText([
      /^Call ended: <b>GM.*Delivered to 1 of 1/,
      /^Update: <b>GM.*Delivered to 1 of 1/,
      /^New call: <b>GM.*Delivered to 1 of 1/,
    ]);
    await expect(log).not.toContainText('finn');
  });

  await test.step('a follower who switched call updates off gets no update', async () => {
    await card.getByText('Notifications:').click();
    const updates = card.getByRole('switch', { name: 'Call updates' });
    await updates.click();
    await expect(updates).not.toBeChecked();
    await expect(card.getByText('Notifications: 6 of 7')).toBeVisible();
    await expect.poll(async () => (await settingsOf(follower.request)).kinds.call_update).toBe(false);
    await makeCall(caller, { mint: WIF, symbol: 'WIF', price: 2 });
    await waitForMessage('New call: WIF (dogwifhat) by Tara New (@tara_new)');
    await sendUpdate(caller, {
      symbol: 'WIF',
      message: 'For those who want updates.',
      toast: ['Update Saved', 'Saved. No subscriber gets updates on Telegram yet.'],
    });
  });

  await test.step('a muted caller’s calls don’t arrive until the caller is unmuted', async () => {
    const bell = follower.getByRole('button', { name: 'Mute Tara New on Telegram' });
    await bell.click();
    await expect(bell).toHaveAttribute('aria-pressed', 'true');
    await card.getByText('Muted callers:').click();
    await expect.poll(async () => (await settingsOf(follower.request)).mutedCallers.length).toBe(1);
    // Wait until another follower has the message. By then, the muted follower would have it, too, if it were
    // sent to them.
    const other = (await openBrowser()).request;
    await signInByScript(other, 'gus_new');
    await follow(other, (await accountOf(caller.request)).id);
    const { startUrl } = (await (
      await other.post('/api/user/telegram-connect', { data: { telegramHandle: 'gus_tele' } })
    ).json()) as ConnectTelegramResponse;
    const otherChat = await pressStart('gus_tele', new URL(startUrl).searchParams.get('start') ?? '');
    await endCall(caller, 'WIF');
    await expect
      .poll(async () => (await messagesIn(otherChat)).map(firstLineOf))
      .toContain('Call ended: WIF (dogwifhat) by Tara New (@tara_new)');
    await card.getByRole('button', { name: 'Unmute Tara New' }).click();
    await expect(bell).toHaveAttribute('aria-pressed', 'false');
    await expect.poll(async () => (await settingsOf(follower.request)).mutedCallers.length).toBe(0);
    await makeCall(caller, { mint: WIF, symbol: 'WIF', price: 2 });
    await expect
      .poll(async () => (await readFirstLines()).filter((line) => line.startsWith('New call: WIF')).length)
      .toBe(2);
    expect(
      (await readFirstLines()).slice(greeting).map((line) => line.split(' by ')[0]?.split(' from ')[0]),
    ).toEqual([
      'New call: <b>GM (Click [here](https://t.me/scam) & _win_)',
      'Update on <b>GM',
      'Call ended: <b>GM (Click [here](https://t.me/scam) & _win_)',
      'New call: WIF (dogwifhat)',
      'New call: WIF (dogwifhat)',
    ]);
  });

  await test.step('/stop disconnects the chat, and the page shows it', async () => {
    await chat.getByRole('textbox', { name: 'Message' }).fill('/stop');
    await chat.getByRole('button', { name: 'Send' }).click();
    await expect.poll(async () => (await accountOf(follower.request)).telegramConnected).toBe(false);
    await follower.reload();
    await expect(card.getByText('Pending', { exact: true })).toBeVisible();
    await expect(card.getByRole('button', { name: 'Get a new link' })).toBeVisible();
    await expect(follower.getByRole('button', { name: / on Telegram$/ })).toHaveCount(0);
  });

  await test.step('blocking the bot disconnects the reconnected chat', async () => {
    await card.getByRole('button', { name: 'Get a new link' }).click();
    await chat.goto(
      `${await card.getByRole('link', { name: 'Open the bot' }).getAttribute('href')}&as=finn_tele`,
    );
    await chat.getByRole('button', { name: 'Start', exact: true }).click();
    await expect(card.getByText('Connected', { exact: true })).toBeVisible();
    await setBotBlocked('finn_tele', true);
    await expect.poll(async () => (await accountOf(follower.request)).telegramConnected).toBe(false);
  });
});

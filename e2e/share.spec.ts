import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { controlUrl, e2eSettings } from './settings.ts';
import { becomeCaller, signInByScript } from './steps.ts';

/** A token whose price hardly moves, so it needn't be pinned. */
const HEAVY = 'StandinHeavyXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX';
const standInsUrl = `http://127.0.0.1:${e2eSettings.standInsPort}`;

interface Tweet {
  readonly text: string;
  readonly handle: string;
  readonly mediaIds: readonly string[];
}

// X refuses the first share, because the caller hasn't permitted posting yet.
test.use({ hasMotion: true, refusedOnPurpose: /\/api\/twitter-post$/ });

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Share Your Call' });
const previewOf = (page: Page) => dialogOf(page).getByRole('img', { name: /^Share image: .* called HEAVY/ });

/** Signs in, becomes a Free caller, makes a call and ends it. */
async function makeAndEndCall(page: Page, handle: string): Promise<void> {
  await signInByScript(page.context().request, handle);
  await becomeCaller(page.request);
  await page.goto('/dashboard');
  await page.getByLabel('Find a token').fill(HEAVY);
  await page.getByLabel('Find a token').press('Enter');
  await page.getByRole('button', { name: 'Make Call' }).click();
  await page.getByRole('button', { name: /^End HEAVY/i }).click();
  await page.getByRole('dialog').getByRole('button', { name: /^End/ }).click();
  await expect(page.getByText('Call Ended', { exact: true })).toBeVisible();
}

async function allowOnX(page: Page, handle: string): Promise<void> {
  await dialogOf(page).getByRole('link', { name: 'Allow posting on X' }).click();
  await page.getByLabel('Or sign in as someone new').fill(handle);
  await page.getByLabel('Or sign in as someone new').press('Enter');
}

/** Decodes an image with a data URL. */
async function readPreview(image: Locator): Promise<Buffer> {
  const [kind, base64] = ((await image.getAttribute('src')) ?? '').split(',');
  expect(kind).toBe('data:image/png;base64');
  return Buffer.from(base64 ?? '', 'base64');
}

async function tweetsOf(handle: string): Promise<Tweet[]> {
  const tweets = (await (await fetch(`${controlUrl}/tweets`)).json()) as Tweet[];
  return tweets.filter((tweet) => tweet.handle === handle);
}

async function readFile(url: string): Promise<Buffer> {
  const response = await fetch(url);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  return Buffer.from(await response.arrayBuffer());
}

// Specification 4.36
test('a caller ends a call, allows posting on X at the first share, and the tweet carries the image', async ({
  openBrowser,
}) => {
  const caller = await openBrowser();
  const dialog = dialogOf(caller);
  const text = `A call of mine ended, ${Date.now()}`;
  let preview: Buffer = Buffer.alloc(0);

  await test.step('a call is made and ended', async () => {
    await makeAndEndCall(caller, 'sharing_lena');
  });

  await test.step('the preview opens with the image', async () => {
    await caller.getByRole('button', { name: 'Share HEAVY' }).click();
    const image = previewOf(caller);
    await expect(image).toBeVisible();
    expect(
      await image.evaluate((element: HTMLImageElement) => [element.naturalWidth, element.naturalHeight]),
    ).toEqual([1200, 675]);
    preview = await readPreview(image);
  });

  await test.step('allowing posts on X returns to the dialog with the text', async () => {
    await dialog.getByLabel('Tweet').fill(text);
    await dialog.getByRole('button', { name: 'Post tweet' }).dblclick();
    await allowOnX(caller, 'sharing_lena');
    await expect(dialog.getByLabel('Tweet')).toHaveValue(text);
    await expect(dialog.getByText('SolCallers can post on X for you.')).toBeVisible();
  });

  await test.step('the tweet opens in a new tab', async () => {
    const opened = caller.context().waitForEvent('page');
    await dialog.getByRole('button', { name: 'Post tweet' }).dblclick();
    const tweet = await opened;
    await expect(tweet.getByText(text)).toBeVisible();
    await expect(tweet.getByRole('img', { name: 'Picture of the post' })).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(caller.getByText('Tweet posted', { exact: true })).toBeVisible();
  });

  await test.step('the tweet, the preview and the image’s public address have the same image bytes', async () => {
    const tweets = await tweetsOf('sharing_lena');
    expect(tweets.map((tweet) => tweet.text)).toEqual([text]);
    const posted = await readFile(`${standInsUrl}/x/media/${tweets[0]?.mediaIds[0]}`);
    await caller.getByRole('button', { name: 'Share HEAVY' }).click();
    const path = (await dialog.getByRole('link', { name: 'Download image' }).getAttribute('href')) ?? '';
    const shown = await readFile(`${e2eSettings.productUrl}${path}`);
    expect(preview.length).toBeGreaterThan(10_000);
    expect([posted.equals(preview), shown.equals(preview)]).toEqual([true, true]);
  });

  await test.step('after disconnecting, posting asks for permission again', async () => {
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await expect(caller.getByText('Disconnected from X', { exact: true })).toBeVisible();
    await expect(dialog.getByText('SolCallers can post on X for you.')).toBeHidden();
    await dialog.getByRole('button', { name: 'Post tweet' }).click();
    await expect(dialog.getByRole('link', { name: 'Allow posting on X' })).toBeVisible();
    expect(await tweetsOf('sharing_lena')).toHaveLength(1);
  });
});

// Specification 4.36
test('declining on X returns to the dialog, and the call’s link can be posted by hand', async ({
  openBrowser,
}) => {
  const caller = await openBrowser();
  const dialog = dialogOf(caller);
  await makeAndEndCall(caller, 'declining_ida');
  await caller.getByRole('button', { name: 'Share HEAVY' }).click();
  await dialog.getByRole('button', { name: 'Post tweet' }).click();

  await test.step('after declining on X, the dialog offers again to allow posting', async () => {
    await dialog.getByRole('link', { name: 'Allow posting on X' }).click();
    await caller.getByRole('link', { name: 'Cancel' }).click();
    await expect(dialog.getByText("You didn't allow SolCallers to post on X.")).toBeVisible();
    await expect(dialog.getByRole('link', { name: 'Allow posting on X' })).toBeVisible();
    await expect(previewOf(caller)).toBeVisible();
  });

  await test.step('the caller posts the tweet by hand', async () => {
    const opened = caller.context().waitForEvent('page');
    await dialog.getByRole('link', { name: 'Post it on X yourself' }).click();
    const compose = await opened;
    await expect(compose.getByLabel('What is happening?')).toHaveValue(
      /^HEAVY call ended: .*\n[^]*\/call\/[\w-]+$/,
    );
    await compose.getByLabel('Post as').fill('declining_ida');
    await compose.getByRole('button', { name: 'Post' }).click();
    await expect(compose.getByText('HEAVY call ended:')).toBeVisible();
  });

  await test.step('the tweet’s link leads to the call', async () => {
    const [tweet, ...others] = await tweetsOf('declining_ida');
    expect([others, tweet?.mediaIds]).toEqual([[], []]);
    const link = /http\S+\/call\/\S+$/.exec(tweet?.text ?? '')?.[0] ?? '';
    await caller.goto(link);
    await expect(caller.getByRole('heading', { level: 1 })).toContainText('HEAVY');
  });
});

test.describe('the share dialog on the smallest phone', () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test('the share dialog has a close button that the Local Wallet doesn’t cover', async ({ openBrowser }) => {
    const caller = await openBrowser();
    await makeAndEndCall(caller, 'sharing_small');
    await caller.getByRole('button', { name: 'Share HEAVY' }).click();
    await expect(previewOf(caller)).toBeVisible();
    await expect(caller.getByRole('button', { name: 'Open Local Wallet' })).toBeVisible();
    await dialogOf(caller).getByRole('button', { name: 'Close' }).click();
    await expect(dialogOf(caller)).toBeHidden();
  });
});

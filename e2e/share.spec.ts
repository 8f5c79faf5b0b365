import type { TokenCall } from '#schema/contracts/calls.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { controlUrl, e2eSettings } from './settings.ts';
import { becomeCaller, pinPrice, signInByScript } from './steps.ts';

const HEAVY = 'StandinHeavyXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX';
const HANDLE = 'sharing_lena';
const standInsUrl = `http://127.0.0.1:${e2eSettings.standInsPort}`;
const smallestPhone = { width: 320, height: 640 };
const desktop = { width: 1280, height: 720 };

interface Tweet {
  readonly text: string;
  readonly handle: string;
  readonly mediaIds: readonly string[];
}

async function tweetsOf(handle: string): Promise<Tweet[]> {
  const tweets = (await (await fetch(`${controlUrl}/tweets`)).json()) as Tweet[];
  return tweets.filter((tweet) => tweet.handle === handle);
}

async function readImage(url: string): Promise<Buffer> {
  const response = await fetch(url);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  return Buffer.from(await response.arrayBuffer());
}

// X refuses the first share, because the caller hasn't permitted posting yet.
test.use({ hasMotion: true, refusedOnPurpose: /\/api\/twitter-post$/ });

// Specification 4.36, 4.35
test('a caller who first declined can allow posting on X, and the tweet about the ended call has the image', async ({
  page: caller,
}) => {
  const dialog = caller.getByRole('dialog', { name: 'Share Your Call' });
  const allow = dialog.getByRole('link', { name: 'Allow posting on X' });
  const image = dialog.getByRole('img', { name: /^Share image: .* called HEAVY/ });
  const text = `A call of mine ended, ${Date.now()}`;
  let preview: Buffer = Buffer.alloc(0);

  await test.step('a call is made and ended', async () => {
    const { request } = caller.context();
    await pinPrice(HEAVY, 2);
    await signInByScript(request, HANDLE);
    await becomeCaller(request);
    const { id: callerId } = (await (await request.get('/api/auth/user')).json()) as CurrentUser;
    const call = { tokenSymbol: 'HEAVY', tokenName: 'Heavy', tokenMint: HEAVY, entryPrice: '2', callerId };
    const { id } = (await (await request.post('/api/token-calls', { data: call })).json()) as TokenCall;
    expect((await request.patch(`/api/token-calls/${id}/end`)).status()).toBe(200);
  });

  await test.step('the preview opens with the image', async () => {
    await caller.goto('/dashboard');
    await caller.getByRole('button', { name: 'Share HEAVY' }).click();
    await expect(image).toBeVisible();
    expect(
      await image.evaluate((element: HTMLImageElement) => [element.naturalWidth, element.naturalHeight]),
    ).toEqual([1200, 675]);
    const [kind, base64 = ''] = ((await image.getAttribute('src')) ?? '').split(',');
    expect(kind).toBe('data:image/png;base64');
    preview = Buffer.from(base64, 'base64');
    await expectAccessible(caller, 'the share dialog', { isOverlay: true });
  });

  await test.step('on the smallest phone, the Local Wallet does not cover the close button', async () => {
    await caller.setViewportSize(smallestPhone);
    await expect(caller.getByRole('button', { name: 'Open Local Wallet' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
    await caller.setViewportSize(desktop);
    await caller.getByRole('button', { name: 'Share HEAVY' }).click();
  });

  await test.step('declining on X returns to the dialog, which offers again to allow posting', async () => {
    await dialog.getByLabel('Tweet').fill(text);
    await dialog.getByRole('button', { name: 'Post tweet' }).dblclick();
    await allow.click();
    await caller.getByRole('link', { name: 'Cancel' }).click();
    await expect(dialog.getByText("You didn't allow SolCallers to post on X.")).toBeVisible();
    await expect(image).toBeVisible();
  });

  await test.step('allowing posts on X returns to the dialog with the text', async () => {
    await allow.click();
    await caller.getByLabel('Or sign in as someone new').fill(HANDLE);
    await caller.getByLabel('Or sign in as someone new').press('Enter');
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
    const tweets = await tweetsOf(HANDLE);
    expect(tweets.map((tweet) => tweet.text)).toEqual([text]);
    const posted = await readImage(`${standInsUrl}/x/media/${tweets[0]?.mediaIds[0]}`);
    await caller.getByRole('button', { name: 'Share HEAVY' }).click();
    const path = (await dialog.getByRole('link', { name: 'Download image' }).getAttribute('href')) ?? '';
    const shown = await readImage(`${e2eSettings.productUrl}${path}`);
    expect(preview.length).toBeGreaterThan(10_000);
    expect([posted.equals(preview), shown.equals(preview)]).toEqual([true, true]);
  });
});

import { expect, test } from './fixtures.ts';
import { pinPrice, signInAs } from './steps.ts';

const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';

// The first share is refused until posting is allowed on X.
test.use({ refusedOnPurpose: /\/api\/twitter-post$/ });

test('a caller ends a call, allows posting on X at the first share, and the tweet carries the image', async ({ openBrowser }) => {
  const caller = await openBrowser();
  const dialog = caller.getByRole('dialog', { name: 'Share Your Call' });
  const text = `A call of mine ended, ${Date.now()}`;
  await pinPrice(BONK, 0.00002);

  await test.step('a call is made and ended', async () => {
    await signInAs(caller, 'sharing_lena');
    await caller.getByRole('button', { name: 'Apply' }).click();
    await caller.getByRole('dialog', { name: 'Become a Caller' }).getByRole('button', { name: 'Become a Caller' }).click();
    await caller.getByLabel('Token address').fill(BONK);
    await caller.getByLabel('Token address').press('Enter');
    await caller.getByRole('button', { name: 'Make Call' }).click();
    await caller.getByRole('button', { name: /^End BONK/i }).click();
    await caller.getByRole('dialog').getByRole('button', { name: /^End/ }).click();
    await expect(caller.getByText('Call Ended', { exact: true })).toBeVisible();
  });

  await test.step('the preview opens with the image', async () => {
    await caller.getByRole('button', { name: 'Share BONK' }).click();
    const image = dialog.getByRole('img', { name: /^Share image: .*\(@sharing_lena\) called BONK/ });
    await expect(image).toBeVisible();
    expect(await image.evaluate((element: HTMLImageElement) => [element.naturalWidth, element.naturalHeight])).toEqual([1200, 675]);
  });

  await test.step('posting is allowed on X, and the dialog is back with the text', async () => {
    await dialog.getByLabel('Tweet').fill(text);
    await dialog.getByRole('button', { name: 'Post tweet' }).dblclick();
    await dialog.getByRole('link', { name: 'Allow posting on X' }).click();
    await caller.getByLabel('Or be someone new').fill('sharing_lena');
    await caller.getByLabel('Or be someone new').press('Enter');
    await expect(dialog.getByLabel('Tweet')).toHaveValue(text);
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
});

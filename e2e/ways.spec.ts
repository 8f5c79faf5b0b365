import type { Page } from '@playwright/test';
import { localOperator } from '#dev/local/local-operator.ts';
import type { CreatedApiKey } from '#schema/contracts/api-keys.ts';
import type { ConnectTelegramResponse } from '#schema/contracts/notifications.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { expect, test } from './fixtures.ts';
import { becomeCaller, messagesIn, pressStart, signInByScript } from './steps.ts';

const ENDED = '1 key, the webhook, the link to connect Telegram, Telegram.';

async function startLinkOf({ request }: Page): Promise<string> {
  const linking = await request.post('/api/user/telegram-connect', { data: { telegramHandle: '' } });
  const { startUrl } = (await linking.json()) as ConnectTelegramResponse;
  return new URL(startUrl).searchParams.get('start') ?? '';
}

/** A stolen session makes an API key, a webhook, a connected chat and a link to Telegram that isn't finished. */
async function rob(thief: Page, handle: string) {
  await signInByScript(thief.context().request, handle);
  const made = await thief.request.post('/api/user/api-keys', { data: { name: 'Thief', mayCall: true } });
  const { key } = (await made.json()) as CreatedApiKey;
  await thief.request.put('/api/user/webhook', { data: { url: 'http://localhost:8799/thief' } });
  await pressStart(`chat_${handle}`, await startLinkOf(thief));
  return { key, startLink: await startLinkOf(thief) };
}

/** `stranger`: a browser without a session, whose requests have the key. */
async function expectGone(thief: Page, stranger: Page, { key, startLink }: Awaited<ReturnType<typeof rob>>) {
  expect((await thief.request.get('/api/auth/user')).status()).toBe(401);
  const headers = { Authorization: `Bearer ${key}` };
  expect((await stranger.request.get('/api/callers', { headers })).status()).toBe(401);
  const chatId = await pressStart('thief_of_ways', startLink);
  await expect
    .poll(() => messagesIn(chatId))
    .toContainEqual(expect.stringMatching(/^This link doesn't work/));
}

test('the owner of an account ends all that a stolen session has made by one press', async ({
  openBrowser,
}) => {
  const [owner, thief] = [await openBrowser(), await openBrowser()];
  await signInByScript(owner.context().request, 'robbed');
  await becomeCaller(owner.request);
  const loot = await rob(thief, 'robbed');

  await owner.goto('/settings/sign-ins');
  const list = owner.getByRole('list', { name: 'Ways Into Your Account' });
  await expect(list.getByRole('listitem')).toHaveCount(6);
  await expect(list.getByText('API key Thief')).toBeVisible();
  await owner.getByRole('button', { name: 'End all others' }).click();
  const dialog = owner.getByRole('dialog', { name: 'End all others?' });
  await expect(dialog.getByRole('checkbox')).toHaveCount(5);
  const isSession = ({ name }: { name: string }) => name.endsWith('session');
  const copied = (await owner.context().cookies()).find(isSession)?.value;
  expect(copied).toBeTruthy();
  await dialog.getByRole('button', { name: 'End all others' }).click();
  await expect(owner.getByText(`Ended 1 session, ${ENDED}`)).toBeVisible();
  await expect(list.getByRole('listitem')).toHaveCount(1);

  await owner.reload();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  expect((await owner.context().cookies()).find(isSession)?.value).not.toBe(copied);
  await expectGone(thief, await openBrowser(), loot);
  const user = (await (await owner.request.get('/api/auth/user')).json()) as CurrentUser;
  expect(user.telegramConnected).toBe(false);
});

test('an operator ends all access to an account by one press', async ({ openBrowser }) => {
  const [operator, thief] = [await openBrowser(), await openBrowser()];
  const loot = await rob(thief, 'robbed_too');
  await signInByScript(operator.context().request, localOperator.handle);
  await operator.goto('/operators?search=robbed_too');
  await operator.getByRole('button', { name: 'End all access: @robbed_too', exact: true }).click();
  const dialog = operator.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('The owner has written to us.');
  await dialog.getByRole('button', { name: 'End all access', exact: true }).click();
  await expect(operator.getByText(`Ended 1 session, ${ENDED}`)).toBeVisible();

  await expectGone(thief, await openBrowser(), loot);
});

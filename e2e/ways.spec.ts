import type { CreatedApiKey } from '#schema/contracts/api-keys.ts';
import type { ConnectTelegramResponse } from '#schema/contracts/notifications.ts';
import { expect, test } from './fixtures.ts';
import { becomeCaller, messagesIn, pressStart, signInByScript } from './steps.ts';

test('the owner of an account ends all that a stolen session has made by one press', async ({
  openBrowser,
}) => {
  const [owner, thief] = [await openBrowser(), await openBrowser()];
  await signInByScript(owner.context().request, 'robbed');
  await becomeCaller(owner.request);
  await signInByScript(thief.context().request, 'robbed');
  const made = await thief.request.post('/api/user/api-keys', { data: { name: 'Thief', mayCall: true } });
  const { key } = (await made.json()) as CreatedApiKey;
  const url = 'http://localhost:8799/thief';
  await thief.request.put('/api/user/webhook', { data: { url } });
  const linking = await thief.request.post('/api/user/telegram-connect', { data: { telegramHandle: '' } });
  const { startUrl } = (await linking.json()) as ConnectTelegramResponse;

  await owner.goto('/settings/sign-ins');
  const list = owner.getByRole('list', { name: 'Ways Into Your Account' });
  await expect(list.getByRole('listitem')).toHaveCount(5);
  await expect(list.getByText('API key Thief')).toBeVisible();
  await owner.getByRole('button', { name: 'End all others' }).click();
  const dialog = owner.getByRole('dialog', { name: 'End all others?' });
  await expect(dialog.getByRole('checkbox')).toHaveCount(4);
  await dialog.getByRole('button', { name: 'End all others' }).click();
  await expect(
    owner.getByText('Ended 1 session, 1 key, the webhook, the link to connect Telegram.'),
  ).toBeVisible();
  await expect(list.getByRole('listitem')).toHaveCount(1);

  expect((await thief.request.get('/api/auth/user')).status()).toBe(401);
  const stranger = await openBrowser();
  const headers = { Authorization: `Bearer ${key}` };
  expect((await stranger.request.get('/api/callers', { headers })).status()).toBe(401);
  const chatId = await pressStart('thief_of_ways', new URL(startUrl).searchParams.get('start') ?? '');
  await expect
    .poll(() => messagesIn(chatId))
    .toContainEqual(expect.stringMatching(/^This link doesn't work/));
});

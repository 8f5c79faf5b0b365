import { describe, expect, it } from 'vitest';
import type { ConnectTelegramResponse } from '#schema/contracts/notifications.ts';
import { query } from '#test/database/database.ts';
import { openChat, pressStart } from '#test/messages/telegram.ts';
import { openWebhook, putWebhook } from '#test/messages/webhooks.ts';
import { createApiKey, sentWith } from '#test/people/api-keys.ts';
import { createCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { act, createOperatedApp, readAudit } from '#test/people/operators.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import type { Person, TestApp } from '#test/test-app.ts';

let app: TestApp;
let owner: Person;
let handle = '';
let accounts = 0;

/** The local X remembers permissions, so each test has its own account. */
async function start(made: TestApp): Promise<void> {
  app = made;
  accounts += 1;
  handle = `ways_${accounts}`;
  owner = await createCaller(app, handle);
}

const elsewhere = () => app.signIn(handle, { cookie: '' });
const useKey = (key: string) => app.request('/api/callers', { headers: sentWith(key) });

/** A Start link without a username, which doesn't end the connection of another chat. */
async function startLinkOf(person: Person): Promise<string> {
  const linking = person.post('/api/user/telegram-connect', { telegramHandle: '' });
  const { startUrl } = await readResponse<ConnectTelegramResponse>(linking);
  return new URL(startUrl).searchParams.get('start') ?? '';
}

/** What a stolen session makes: a key, a webhook and a link that connects a chat of the thief's. */
async function makeAll(thief: Person) {
  const { key } = await createApiKey(app, thief);
  const webhook = await openWebhook(app, thief);
  const chatId = await openChat();
  return { key, webhook, chatId, startLink: await startLinkOf(thief) };
}

/** The ways that still work. Each of the thief's moves after the end counts. */
async function worksFor(thief: Person, made: Awaited<ReturnType<typeof makeAll>>): Promise<string[]> {
  const works: string[] = [];
  if ((await thief.get('/api/auth/user')).status === 200) works.push('session');
  if ((await useKey(made.key)).status === 200) works.push('key');
  await pressStart({ app, chatId: made.chatId, payload: made.startLink });
  const [{ connected } = { connected: 1 }] = await query<{ connected: number }>(
    'SELECT COUNT(*) AS connected FROM telegram_links WHERE chat_id = ?',
    String(made.chatId),
  );
  if (connected > 0) works.push('telegram');
  const follower = await app.signIn(`fan_of_${handle}`);
  await readResponse(follower.post('/api/subscriptions/free', { callerId: owner.id }), 201);
  const before = (await made.webhook.list()).length;
  await makeCall({ caller: owner, mint: MINTS.WIF, price: 2 });
  await app.webhookSender.deliver();
  if ((await made.webhook.list()).length > before) works.push('webhook');
  for (const again of [
    thief.post('/api/user/api-keys', { name: 'Again', mayCall: true }),
    putWebhook(app, thief, 'https://hooks.solana.com/mine'),
    thief.post('/api/user/telegram-connect', { telegramHandle: '' }),
  ]) {
    if ((await again).status < 300) works.push('a new one');
  }
  return works;
}

describe('the operators’ End all access', () => {
  it('ends everything, says what, writes the audit, and works again while anything is left', async () => {
    const { app: operated, operator } = await createOperatedApp();
    await start(operated);
    const thief = await elsewhere();
    const made = await makeAll(thief);
    const end = () => act(operator, { action: 'end_access', subjectId: owner.id });
    expect(await end()).toEqual({
      isDone: true,
      message: 'Ended 2 sessions, 1 key, the webhook, Telegram.',
    });
    expect((await owner.get('/api/auth/user')).status).toBe(401);
    expect(await end()).toMatchObject({ isDone: false });
    owner = await app.signIn(handle);
    expect(await worksFor(thief, made)).toEqual([]);
    const { key } = await createApiKey(app, owner);
    expect((await end()).message).toBe('Ended 1 session, 1 key.');
    await expectRefusal(useKey(key), 'api_keys.invalid');
    expect((await readAudit()).filter(({ action }) => action === 'end_access')).toHaveLength(2);
  });

  it('ends a key that outlived its session', async () => {
    const { app: operated, operator } = await createOperatedApp();
    await start(operated);
    const { key } = await createApiKey(app, owner);
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    await app.request('/api/logout', { cookie: owner.cookie, headers });
    expect((await act(operator, { action: 'end_access', subjectId: owner.id })).message).toBe('Ended 1 key.');
    await expectRefusal(useKey(key), 'api_keys.invalid');
  });
});

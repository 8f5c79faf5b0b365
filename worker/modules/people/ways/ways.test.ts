import { beforeEach, describe, expect, it } from 'vitest';
import { CHAT_STAYS_MS, FORMER_CHAT_MS } from '#schema/constants/messages.ts';
import { FRESH_SIGN_IN_MS } from '#schema/constants/people.ts';
import { DAY_MS, HOUR_MS } from '#schema/constants/time.ts';
import type { ConnectTelegramResponse } from '#schema/contracts/notifications.ts';
import type { EndedWays, Way } from '#schema/contracts/ways.ts';
import { query } from '#test/database/database.ts';
import { isLiveAtX, plainTokensOf, respondToConsent } from '#test/images/shares.ts';
import { receivedBy, turnOn } from '#test/messages/push.ts';
import {
  act as actOnTelegram,
  connectChat,
  createChat,
  postBotUpdate,
  RIGHTS,
} from '#test/messages/telegram-chats.ts';
import {
  connectTelegram,
  openChat,
  postUpdate,
  pressStart,
  pressUpdate,
  writtenTo,
} from '#test/messages/telegram.ts';
import { openWebhook, putWebhook } from '#test/messages/webhooks.ts';
import { createApiKey, sentWith } from '#test/people/api-keys.ts';
import { createCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { act, createOperatedApp, readAudit } from '#test/people/operators.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

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
const waysOf = (person = owner) => readResponse<Way[]>(person.get('/api/user/ways'));
const kindsOf = async (person = owner) => (await waysOf(person)).map(({ kind }) => kind);
const endOthers = (person = owner, keep: readonly string[] = []) =>
  readResponse<EndedWays>(person.post('/api/user/ways/end-others', { keep }));
const useKey = (key: string) => app.request('/api/callers', { headers: sentWith(key) });

/** A Start link without a username, which doesn't end the connection of another chat. */
async function startLinkOf(person: Person): Promise<string> {
  const linking = person.post('/api/user/telegram-connect', { telegramHandle: '' });
  const { startUrl } = await readResponse<ConnectTelegramResponse>(linking);
  return new URL(startUrl).searchParams.get('start') ?? '';
}

const pressYes = (chatId: number, group: number) =>
  postUpdate(app, pressUpdate({ chatId, action: `chat:yes:${group}` }));

/** Connects a new group from a private chat. */
async function connectGroup(chatId: number): Promise<number> {
  const group = await createChat({ owner: chatId });
  await actOnTelegram('add-bot', chatId, { chatId: group, rights: RIGHTS });
  await postBotUpdate(app, { chatId: group, byId: chatId, rights: RIGHTS });
  await pressYes(chatId, group);
  return group;
}

/** A stolen session makes a key, a webhook and a link that connects a chat of the thief's. */
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

describe('the ways into an account', () => {
  beforeEach(async () => start(await createTestApp()));

  it('are listed with the time, the session that made them, and the last use', async () => {
    await createApiKey(app, owner, { mayCall: false });
    await openWebhook(app, owner);
    await connectTelegram(app, owner);
    await readResponse(owner.patch('/api/user/telegram-calls', { isOn: true }));
    const madeAt = new Date(app.clock.now()).toISOString();
    await startLinkOf(owner);
    await respondToConsent({ app, person: owner });
    const [current, ...rest] = await waysOf();
    expect(current).toMatchObject({ kind: 'session', isCurrent: true });
    const made = { madeBy: current?.id, isCurrent: false };
    expect(rest.toSorted((one, other) => one.kind.localeCompare(other.kind))).toMatchObject([
      { ...made, kind: 'key', name: `Bot of ${handle}`, mayCall: false, lastUsedAt: expect.any(String) },
      { ...made, kind: 'telegram', mayCall: true },
      { kind: 'telegram_link', isCurrent: false, madeAt },
      { ...made, kind: 'webhook', lastUsedAt: null },
      { ...made, kind: 'x', madeAt },
    ]);
    expect(rest).toHaveLength(5);
  });

  it('can’t be made with a session whose sign-in is older than fifteen minutes', async () => {
    await connectTelegram(app, owner);
    await app.advance(FRESH_SIGN_IN_MS);
    for (const making of [
      owner.post('/api/user/api-keys', { name: 'Bot', mayCall: true }),
      putWebhook(app, owner, 'https://hooks.solana.com/mine'),
      owner.post('/api/user/telegram-connect', { telegramHandle: '' }),
      owner.patch('/api/user/telegram-calls', { isOn: true }),
    ]) {
      await expectRefusal(making, 'auth.fresh_sign_in_needed');
    }
    expect(await kindsOf()).toEqual(['session', 'telegram']);
  });

  it('all end by one press of the owner, and nothing that a thief does then gets through', async () => {
    const thief = await elsewhere();
    const made = await makeAll(thief);
    expect((await endOthers()).message).toBe(
      'Ended 1 session, 1 key, the webhook, the link to connect Telegram.',
    );
    expect(await worksFor(thief, made)).toEqual([]);
    expect(await kindsOf()).toEqual(['session']);
    expect((await endOthers()).message).toBe('Nothing was left to end.');
  });

  it('end with a chat that a thief has connected, and its button to call', async () => {
    const thief = await elsewhere();
    const { chatId, startLink } = await makeAll(thief);
    await pressStart({ app, chatId, payload: startLink });
    await readResponse(thief.patch('/api/user/telegram-calls', { isOn: true }));
    expect((await endOthers()).message).toContain('Telegram');
    expect(
      await query('SELECT user_id FROM telegram_links WHERE chat_id IS NOT NULL OR can_call = 1'),
    ).toEqual([]);
  });

  it('end with a group that a thief’s chat has connected, and one of a week ago stays if it’s kept', async () => {
    const old = await connectChat({ caller: owner, kind: 'channel' });
    await app.advance(CHAT_STAYS_MS);
    owner = await app.signIn(handle);
    const thief = await elsewhere();
    const { chatId, startLink } = await makeAll(thief);
    await pressStart({ app, chatId, payload: startLink });
    const group = await connectGroup(chatId);
    const session = (await waysOf(thief)).find(({ isCurrent }) => isCurrent)?.id;
    const chats = (await waysOf()).filter(({ kind }) => kind === 'chat');
    expect(chats).toMatchObject([
      { id: String(group), name: 'Alpha', madeBy: session, staysByDefault: false },
      { id: String(old.chatId), staysByDefault: true },
    ]);
    expect((await endOthers(owner, [String(old.chatId)])).message).toMatch(/Telegram, a group or channel\.$/);
    await makeCall({ caller: owner, mint: MINTS.WIF, price: 2 });
    await app.runJobs('messages');
    await app.chatSender.deliver();
    expect(await writtenTo(group)).toEqual([]);
    expect(await kindsOf()).toEqual(['session', 'chat']);
  });

  it('all end for somebody with a copy of the cookie, too, and the sign-in doesn’t become fresh', async () => {
    const { id } = await createApiKey(app, owner);
    await app.advance(FRESH_SIGN_IN_MS);
    const copy = app.browser(owner);
    await endOthers(owner, [id]);
    expect((await copy.get('/api/auth/user')).status).toBe(401);
    expect((await owner.get('/api/auth/user')).status).toBe(200);
    const [current, key] = await waysOf();
    expect([current?.isCurrent, key?.madeBy]).toEqual([true, current?.id]);
    await expectRefusal(
      owner.post('/api/user/api-keys', { name: 'Bot', mayCall: true }),
      'auth.fresh_sign_in_needed',
    );
  });

  it('end with X’s permission to post, which is also revoked at X', async () => {
    await respondToConsent({ app, person: owner });
    const [access, refresh] = await plainTokensOf(owner);
    expect(await isLiveAtX.access(access)).toBe(true);
    expect((await endOthers()).message).toBe('Ended the permission to post on X.');
    expect([await isLiveAtX.access(access), await isLiveAtX.refresh(refresh)]).toEqual([false, false]);
  });

  it('stay if they are ticked, but a thief’s unfinished link ends beside a kept chat', async () => {
    const chatId = await connectTelegram(app, owner);
    const { id, key } = await createApiKey(app, owner);
    const phone = await elsewhere();
    const made = await makeAll(phone);
    const session = (await waysOf(phone)).find(({ isCurrent }) => isCurrent)?.id ?? '';
    const telegram = (await waysOf()).find(({ kind }) => kind === 'telegram')?.id ?? '';
    expect((await endOthers(owner, [id, session, telegram])).message).toBe(
      'Ended 1 key, the webhook, the link to connect Telegram.',
    );
    expect((await kindsOf()).toSorted()).toEqual(['key', 'session', 'session', 'telegram']);
    await readResponse(useKey(key));
    await pressStart({ app, chatId: made.chatId, payload: made.startLink });
    expect(await query('SELECT chat_id FROM telegram_links')).toEqual([{ chat_id: String(chatId) }]);
  });

  it('end if a thief has replaced them since the owner ticked them', async () => {
    await openWebhook(app, owner);
    const [webhook] = (await waysOf()).filter(({ kind }) => kind === 'webhook');
    await app.advance(1);
    await openWebhook(app, await elsewhere());
    expect((await endOthers(owner, [webhook?.id ?? ''])).message).toBe('Ended 1 session, the webhook.');
  });

  it('end with notifications that a thief has turned on with a copied cookie', async () => {
    await turnOn(app, owner);
    expect(await kindsOf()).toEqual(['session', 'push']);
    expect((await endOthers()).message).toBe('Ended notifications in 1 browser.');
    expect(await query('SELECT endpoint FROM push_devices')).toEqual([]);
  });

  it.each([true, false])('of one session end with it only if that is ticked (%s)', async (withMade) => {
    const { key: own } = await createApiKey(app, owner);
    const thief = await elsewhere();
    const { key } = await makeAll(thief);
    const id = (await waysOf(thief)).find(({ isCurrent }) => isCurrent)?.id ?? '';
    await readResponse(owner.delete(`/api/user/ways/${id}?withMade=${withMade}`));
    expect((await thief.get('/api/auth/user')).status).toBe(401);
    const left = withMade ? ['key', 'session'] : ['key', 'key', 'session', 'telegram_link', 'webhook'];
    expect((await kindsOf()).toSorted()).toEqual(left);
    expect((await useKey(key)).status).toBe(withMade ? 401 : 200);
    await readResponse(useKey(own));
  });

  it.each(['signs in again', 'permits posting on X'])(
    'that a browser has made, also an unfinished link, end with it after it %s',
    async (how) => {
      let thief = await elsewhere();
      const made = await makeAll(thief);
      if (how === 'signs in again') thief = await app.signIn(handle, { cookie: thief.cookie });
      else await respondToConsent({ app, person: thief });
      const id = (await waysOf(thief)).find(({ isCurrent }) => isCurrent)?.id ?? '';
      await readResponse(owner.delete(`/api/user/ways/${id}?withMade=true`));
      await pressStart({ app, chatId: made.chatId, payload: made.startLink });
      expect((await kindsOf()).filter((kind) => kind !== 'session')).toEqual([]);
    },
  );

  it('of another person stay', async () => {
    const other = await app.signIn('another_owner');
    const { id, key } = await createApiKey(app, other);
    await openWebhook(app, other);
    await expectRefusal(owner.delete(`/api/user/ways/${id}`), 'ways.not_found');
    await endOthers();
    await readResponse(useKey(key));
    expect((await kindsOf(other)).toSorted()).toEqual(['key', 'session', 'webhook']);
  });
});

describe('the operators’ End all access', () => {
  it('ends everything, says what, writes the audit, and works again while anything is left', async () => {
    const { app: operated, operator } = await createOperatedApp();
    await start(operated);
    const thief = await elsewhere();
    const made = await makeAll(thief);
    const end = () => act(operator, { action: 'end_access', subjectId: owner.id });
    expect(await end()).toEqual({
      isDone: true,
      message: 'Ended 2 sessions, 1 key, the webhook, the link to connect Telegram.',
    });
    expect((await owner.get('/api/auth/user')).status).toBe(401);
    await connectChat({ caller: owner });
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

describe('the notice of a new way', () => {
  let chatId: number;
  let endpoint: string;

  beforeEach(async () => {
    await start(await createTestApp());
    endpoint = await turnOn(app, owner);
    await deliver();
    chatId = await connectTelegram(app, owner);
  });

  const deliver = async () => {
    await app.runJobs('messages');
    await app.sender.deliver();
    await app.pushSender.deliver();
  };
  const notices = async (chat = chatId) => {
    await deliver();
    const texts = (await writtenTo(chat)).filter((text) => text.includes('Then end all others'));
    return texts.map((text) => text.split('\n')[0]);
  };
  const pushed = async () => {
    await deliver();
    return (await receivedBy(endpoint)).length;
  };

  it('goes to Telegram and to browsers, even if the way has ended at once', async () => {
    const { id } = await createApiKey(app, owner);
    await readResponse(owner.delete(`/api/user/ways/${id}`));
    await app.advance(1);
    await createApiKey(app, owner, { mayCall: false });
    await openWebhook(app, owner);
    await readResponse(owner.patch('/api/user/telegram-calls', { isOn: true }));
    await respondToConsent({ app, person: owner });
    expect((await notices()).toSorted()).toEqual([
      'A new API key can make calls in your name.',
      'A new API key can read what you see.',
      'A new webhook gets your calls, payments and ended subscriptions.',
      'Calls can now be made in your name from your Telegram chat.',
      'SolCallers may now post on X for you.',
    ]);
    expect(await pushed()).toBeGreaterThanOrEqual(5);
  });

  it('of a browser goes to Telegram', async () => {
    await app.advance(1);
    await turnOn(app, await elsewhere());
    expect(await notices()).toEqual(['A browser now gets your notifications.']);
  });

  it('of a chat goes to browsers, but not to the chat itself', async () => {
    await deliver();
    const before = await pushed();
    await app.advance(1);
    const other = await openChat();
    await pressStart({ app, chatId: other, payload: await startLinkOf(owner) });
    expect(await notices(other)).toEqual([]);
    expect(await pushed()).toBe(before + 1);
  });

  it('of a group goes to browsers once, but not to the private chat that has connected it', async () => {
    const before = await pushed();
    await app.advance(1);
    const group = await connectGroup(chatId);
    await app.advance(1);
    await pressYes(chatId, group);
    expect(await notices()).toEqual([]);
    expect(await pushed()).toBe(before + 1);
  });

  it('goes to a chat that was connected a week ago, although a thief has replaced or disconnected it', async () => {
    await app.advance(FORMER_CHAT_MS);
    const thief = await elsewhere();
    await readResponse(thief.delete('/api/user/telegram-disconnect'));
    const other = await openChat();
    await pressStart({ app, chatId: other, payload: await startLinkOf(thief) });
    await createApiKey(app, thief);
    await connectGroup(other);
    expect((await notices()).toSorted()).toEqual([
      'A Telegram chat was connected to your account.',
      'A Telegram group or channel now gets your calls.',
      'A new API key can make calls in your name.',
    ]);
    await app.advance(6 * DAY_MS);
    await openWebhook(app, await elsewhere());
    expect(await notices()).toHaveLength(4);
    await app.advance(DAY_MS + HOUR_MS);
    await createApiKey(app, await elsewhere());
    expect(await notices()).toHaveLength(4);
  });

  it('doesn’t go to a disconnected chat that was connected for less than a week', async () => {
    await app.advance(FORMER_CHAT_MS - HOUR_MS);
    owner = await app.signIn(handle);
    await readResponse(owner.delete('/api/user/telegram-disconnect'));
    await createApiKey(app, owner);
    expect(await notices()).toEqual([]);
  });
});

import { beforeAll, expect, it } from 'vitest';
import { HOUR_MS } from '#schema/constants/time.ts';
import type { ConnectTelegramResponse } from '#schema/contracts/notifications.ts';
import type { EndedWays, Way } from '#schema/contracts/ways.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { query } from '#test/database/database.ts';
import { beginConsent } from '#test/images/shares.ts';
import { newBrowser, putDevice } from '#test/messages/push.ts';
import { act, createChat, postBotUpdate, RIGHTS } from '#test/messages/telegram-chats.ts';
import { openBotChat, openChat, postUpdate, pressStart, pressUpdate } from '#test/messages/telegram.ts';
import { putWebhook } from '#test/messages/webhooks.ts';
import { createApiKey, sentWith } from '#test/people/api-keys.ts';
import { callBody, createCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { readResponse } from '#test/responses.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let owner: Person;
let accounts = 0;
/** Runs before each query of a thief's move. */
let beforeQuery: (() => Promise<void>) | null = null;

beforeAll(async () => {
  const DB = interceptDatabase(testEnv.DB, async (_, run) => {
    await beforeQuery?.();
    return run();
  });
  app = await createTestApp({ bindings: { DB } });
});

const endOthers = (person: Person) =>
  readResponse<EndedWays>(person.post('/api/user/ways/end-others', { keep: [] }));

/** The things that the stolen session has before the owner presses. */
async function steal() {
  accounts += 1;
  owner = await createCaller(app, `robbed_${accounts}`);
  const thief = await app.signIn(owner.handle, { cookie: '' });
  const { key } = await createApiKey(app, thief);
  return { thief, key, call: await makeCall({ caller: owner, mint: MINTS.WIF, price: 2 }) };
}

type Loot = Awaited<ReturnType<typeof steal>>;

const withKey = (key: string, path: string, body: unknown, method = 'POST') =>
  app.request(path, { method, body, headers: sentWith(key) });

async function startLinkOf(person: Person): Promise<string> {
  const linking = person.post('/api/user/telegram-connect', { telegramHandle: '' });
  return (
    new URL((await readResponse<ConnectTelegramResponse>(linking)).startUrl).searchParams.get('start') ?? ''
  );
}

async function connectChat({ thief }: Loot): Promise<number> {
  const chatId = await openChat();
  await pressStart({ app, chatId, payload: await startLinkOf(thief) });
  return chatId;
}

/** A thief's move: what comes before the owner's press, and the requests during which the owner presses. */
const MOVES: Readonly<Record<string, (loot: Loot) => Promise<() => Promise<unknown>>>> = {
  'the session makes an API key':
    async ({ thief }) =>
    () =>
      thief.post('/api/user/api-keys', { name: 'Again', mayCall: true }),
  'an API key makes another one':
    async ({ key }) =>
    () =>
      withKey(key, '/api/user/api-keys', { name: 'Again', mayCall: true }),
  'an API key opens a call': async ({ key }) => {
    await control('POST', '/prices', { mint: MINTS.BONK, price: 2 });
    const body = callBody({ caller: owner, mint: MINTS.BONK, entryPrice: '2', symbol: 'BONK' });
    return () => withKey(key, '/api/token-calls', body);
  },
  'an API key ends a call':
    async ({ key, call }) =>
    () =>
      withKey(key, `/api/token-calls/${call.id}/end`, undefined, 'PATCH'),
  'an API key sends an update on a call':
    async ({ key, call }) =>
    () =>
      withKey(key, '/api/call-events', { callId: call.id, message: 'Sell all of it' }),
  'the session saves a webhook':
    async ({ thief }) =>
    () =>
      putWebhook(app, thief, 'https://hooks.solana.com/thief'),
  'the session turns its ended webhook on again': async ({ thief }) => {
    await putWebhook(app, thief, 'https://hooks.solana.com/thief');
    await readResponse(thief.delete('/api/user/ways/webhook'));
    return () => putWebhook(app, thief, 'https://hooks.solana.com/thief');
  },
  'the session gets a link to Telegram':
    async ({ thief }) =>
    () =>
      thief.post('/api/user/telegram-connect', { telegramHandle: '' }),
  'an unfinished link to Telegram is finished': async ({ thief }) => {
    const payload = await startLinkOf(thief);
    const chatId = await openChat();
    return () => pressStart({ app, chatId, payload });
  },
  'the session lets its chat make calls': async (loot) => {
    await connectChat(loot);
    return () => loot.thief.patch('/api/user/telegram-calls', { isOn: true });
  },
  'X’s permission, which was begun before, is finished and renews the session': ({ thief }) =>
    beginConsent({ app, person: thief }),
  'the thief’s chat confirms a card that opens a call': async (loot) => {
    const chatId = await connectChat(loot);
    await readResponse(loot.thief.patch('/api/user/telegram-calls', { isOn: true }));
    await control('POST', '/prices', { mint: MINTS.BONK, price: 2 });
    const chat = openBotChat(app, chatId);
    const card = await chat.send(`/call ${MINTS.BONK}`);
    return () => chat.press(card, 'Confirm');
  },
  'the thief’s chat connects a group': async (loot) => {
    const chatId = await connectChat(loot);
    const group = await createChat({ owner: chatId });
    await act('add-bot', chatId, { chatId: group, rights: RIGHTS });
    await postBotUpdate(app, { chatId: group, byId: chatId, rights: RIGHTS });
    return () => postUpdate(app, pressUpdate({ chatId, action: `chat:yes:${group}` }));
  },
  'the session is used and extended': async ({ thief }) => {
    await app.advance(HOUR_MS);
    return () => thief.get('/api/auth/user');
  },
  'the session turns notifications on': async ({ thief }) => {
    const { endpoint, keys } = await newBrowser();
    return () => putDevice(app, thief, { endpoint, keys });
  },
  'the session ends all others, which is the owner':
    async ({ thief }) =>
    () =>
      endOthers(thief).catch(() => null),
  'the session ends the owner’s session': async ({ thief }) => {
    const ways = await readResponse<Way[]>(owner.get('/api/user/ways'));
    const id = ways.find(({ isCurrent }) => isCurrent)?.id ?? '';
    return () => thief.delete(`/api/user/ways/${id}?withMade=true`);
  },
};

/** All that a thief could make or do in the account. */
async function traces(): Promise<unknown[]> {
  const of = (columns: string, table: string, person = 'user_id') =>
    query(`SELECT ${columns} FROM ${table} WHERE ${person} = ? ORDER BY 1`, owner.id);
  return [
    await of('token_hash', 'sessions'),
    await of('token_hash', 'api_keys'),
    await of('url', 'webhooks'),
    await of('chat_id, can_call, start_nonce_hash', 'telegram_links'),
    await of('access_token_ciphertext', 'x_tokens'),
    await of('chat_id', 'telegram_chats', 'caller_id'),
    await of('endpoint', 'push_devices'),
    await of('id, ended_at', 'calls', 'caller_id'),
    await of('u.id', 'call_updates u JOIN calls c ON c.id = u.call_id', 'c.caller_id'),
  ];
}

/** Plays a move in which the owner presses before the query with this number. Returns false if it has fewer queries. */
async function play(name: string, number: number): Promise<boolean> {
  const loot = await steal();
  const move = await MOVES[name]?.(loot);
  let left = number;
  let after: unknown[] | null = null;
  let pressing: Promise<void> | null = null;
  const pressOnce = async () => {
    beforeQuery = null;
    await ownerPresses();
    after = await traces();
  };
  // A query may run after the response, so the press may still run when the move has ended.
  const press = () => (pressing ??= pressOnce());
  beforeQuery = async () => {
    left -= 1;
    if (left < 0) await press();
  };
  await move?.();
  beforeQuery = null;
  const isReached = pressing !== null;
  await press();
  const label = `${name}, pressed before query ${number + 1}`;
  expect({ label, traces: await traces() }).toEqual({ label, traces: after });
  const [sessions, keys, webhooks, links, permissions, chats, devices] = (await traces()) as unknown[][];
  expect({ label, left: [sessions?.length, keys, webhooks, permissions, chats, devices] }).toEqual({
    label,
    left: [1, [], [], [], [], []],
  });
  expect(
    links?.filter((link) => Object.values(link as object).some((value) => value !== null && value !== 0)),
  ).toEqual([]);
  expect((await loot.thief.get('/api/auth/user')).status).toBe(401);
  expect((await withKey(loot.key, '/api/callers', undefined, 'GET')).status).toBe(401);
  return isReached;
}

/** If the thief was faster and has ended the owner's session, the owner signs in with X again and presses then. */
async function ownerPresses(): Promise<void> {
  const { status } = await owner.get('/api/auth/user');
  if (status === 401) owner = await app.signIn(owner.handle, { cookie: '' });
  await endOthers(owner);
}

it.each(Object.keys(MOVES))(
  'nothing gets through if the owner presses at any moment while %s',
  { timeout: 180_000 },
  async (name) => {
    let number = 0;
    while (await play(name, number)) number += 1;
    expect(number).toBeGreaterThan(0);
  },
);

import { beforeEach, expect, it, vi } from 'vitest';
import { MAX_PUSH_DEVICES } from '#schema/constants/messages.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import type { PushSettings } from '#schema/contracts/push.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { pay } from '#test/payments/payments.ts';
import { newBrowser, putDevice, receivedBy, turnOn } from '#test/messages/push.ts';
import { messagesIn, connectTelegram } from '#test/messages/telegram.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'keeper_of_calls' }));
});

async function subscribe(handle: string): Promise<Person> {
  const person = await app.signIn(handle);
  await pay({ person, callerId: caller.id });
  return person;
}

const call = (mint: string = MINTS.WIF) => makeCall({ caller, mint, price: 2 });
const update = (callId: string, message: string) =>
  readResponse(caller.post('/api/telegram/send-update', { callId, message }));
const textsOf = async (endpoint: string) => (await receivedBy(endpoint)).map(({ text }) => text);
const setStatus = (endpoint: string, status: number | null) =>
  control('POST', '/push/status', { endpoint, status });
const countDevices = async (userId: string) =>
  (await query('SELECT 1 FROM push_devices WHERE user_id = ?', userId)).length;

const pushRequests = async () =>
  (await control<{ requests: { path: string }[] }>('GET', '/requests?service=push')).requests.map(
    ({ path }) => path,
  );

it('a browser gets one notification per event, with Telegram’s text and the address of the call’s page', async () => {
  const person = await subscribe('subscriber');
  const chatId = await connectTelegram(app, person);
  const endpoint = await turnOn(app, person);
  const made = await call();
  await update(made.id, 'Half is sold. Ω');
  await app.sender.deliver();
  await app.pushSender.deliver();
  await endCall({ caller, call: made, price: 3 });
  await app.runJobs('calls', 'messages', 'sender');
  await app.sender.deliver();
  await app.pushSender.deliver();
  const onTelegram = (await messagesIn(chatId))
    .filter(({ from, text }) => from === 'bot' && text.includes('WIF'))
    .map(({ text }) => text);
  const received = await receivedBy(endpoint);
  expect(received).toHaveLength(3);
  expect(onTelegram.slice(-3).toSorted()).toEqual(received.map(({ text }) => text).toSorted());
  for (const { url, tag, ttl } of received) {
    expect([url, tag.includes(made.id) || tag.startsWith('call_update:')]).toEqual([
      `https://solcallers.test/call/${made.id}`,
      true,
    ]);
    expect(ttl).toBeGreaterThan(50 * 60);
  }
});

it('a browser gets notices, such as of a received payment, even if its user has not connected Telegram', async () => {
  const endpoint = await turnOn(app, caller);
  await subscribe('subscriber');
  await app.advance(MINUTE_MS);
  await app.runJobs('payments', 'messages');
  await app.pushSender.deliver();
  expect(await textsOf(endpoint)).toContainEqual(expect.stringContaining('You received 0.45'));
});

it.each([404, 410])(
  'a browser is removed if its push service returns %d, and the user’s other browser still gets notifications',
  async (status) => {
    const person = await subscribe('subscriber');
    const gone = await turnOn(app, person);
    const other = await turnOn(app, await app.signIn('subscriber', { cookie: '' }));
    await setStatus(gone, status);
    await call();
    await app.pushSender.deliver();
    // The other browser also gets the notice of a new device.
    const calls = (await textsOf(other)).filter((text) => text.startsWith('New call'));
    expect([await textsOf(gone), calls.length, await countDevices(person.id)]).toEqual([[], 1, 1]);
  },
);

it.each([400, 413, 500])(
  'a browser gets a notification once while the push service of the user’s other browser returns %d',
  async (status) => {
    const person = await subscribe('subscriber');
    const failing = await turnOn(app, person);
    const other = await turnOn(app, await app.signIn('subscriber', { cookie: '' }));
    await app.pushSender.deliver();
    const before = (await pushRequests()).length;
    await setStatus(failing, status);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await call();
    for (let tries = 0; tries < 4; tries += 1) await app.pushSender.deliver();
    warn.mockRestore();
    const sent = (await pushRequests()).slice(before);
    const to = (endpoint: string) => sent.filter((path) => endpoint.endsWith(path)).length;
    expect([to(other), to(failing), await countDevices(person.id)]).toEqual([1, status === 500 ? 4 : 1, 2]);
  },
);

it('after a rate limit, a browser gets the notification when the push service says, and stays registered', async () => {
  const person = await subscribe('subscriber');
  const endpoint = await turnOn(app, person);
  await control('POST', '/push/limit', { count: 1, retryAfterSeconds: 7 });
  await call();
  expect(await app.pushSender.deliver()).toEqual([7]);
  await app.pushSender.deliver();
  expect([(await textsOf(endpoint)).length, await countDevices(person.id)]).toEqual([1, 1]);
});

it('a notification text that is too long for a push service is cut off', async () => {
  const endpoint = await turnOn(app, await subscribe('subscriber'));
  const made = await call();
  await app.pushSender.deliver();
  await update(made.id, '漢'.repeat(3_000));
  await app.pushSender.deliver();
  const [, long = ''] = await textsOf(endpoint);
  expect(long).toMatch(/^Update on .*漢…$/s);
  expect(new TextEncoder().encode(long).length).toBeGreaterThan(3_500);
});

it('a browser notification does not wait for the Telegram message', async () => {
  const person = await subscribe('subscriber');
  const chatId = await connectTelegram(app, person);
  const endpoint = await turnOn(app, person);
  await app.runJobs('messages');
  await app.sender.deliver();
  await call();
  await app.pushSender.deliver();
  expect((await textsOf(endpoint)).length).toBe(1);
  expect(await app.sender.waiting()).toEqual([]);
  expect(await app.sender.events()).toHaveLength(1);
  await app.sender.deliver();
  expect((await messagesIn(chatId)).at(-1)?.text).toContain('New call');
});

it('a browser gets no notifications after its session was ended', async () => {
  const person = await subscribe('subscriber');
  const endpoint = await turnOn(app, person);
  const again = await app.signIn('subscriber', { cookie: person.cookie });
  expect((await readResponse<PushSettings>(again.get('/api/user/push'))).endpoint).toBe(endpoint);
  const [session] = await readResponse<{ id: string }[]>(again.get('/api/user/ways'));
  await readResponse(again.delete(`/api/user/ways/${session?.id}`));
  expect(await countDevices(person.id)).toBe(0);
  await call();
  await app.pushSender.deliver();
  expect(await textsOf(endpoint)).toEqual([]);
});

const read = async (person: Person) => readResponse<PushSettings>(person.get('/api/user/push'));

it('notifications are turned on and off for each browser separately', async () => {
  const person = await app.signIn('reader');
  expect(await read(person)).toEqual({
    publicKey: expect.stringMatching(/^B[\w-]{86}$/),
    endpoint: null,
  });
  const endpoint = await turnOn(app, person);
  expect(await read(person)).toMatchObject({ endpoint });
  const elsewhere = await app.signIn('reader', { cookie: '' });
  expect(await read(elsewhere)).toMatchObject({ endpoint: null });
  expect(await readResponse(person.delete('/api/user/push'))).toMatchObject({ endpoint: null });
});

it('a browser’s notifications go to the user who last turned them on', async () => {
  const [one, other] = [await app.signIn('one'), await app.signIn('other')];
  const browser = await newBrowser();
  await readResponse(putDevice(app, one, browser));
  await readResponse(putDevice(app, other, browser));
  expect([await countDevices(one.id), await countDevices(other.id)]).toEqual([0, 1]);
});

it('another user cannot take over a browser’s notifications by registering the browser’s push address with other keys', async () => {
  const [victim, thief] = [await app.signIn('victim'), await app.signIn('thief')];
  const { endpoint, keys } = await newBrowser();
  await readResponse(putDevice(app, victim, { endpoint, keys }));
  const others = (await newBrowser()).keys;
  for (const stolen of [others, { ...keys, auth: others.auth }, { ...keys, p256dh: others.p256dh }]) {
    await expectRefusal(putDevice(app, thief, { endpoint, keys: stolen }), 'push.address_taken');
  }
  expect([await countDevices(victim.id), await countDevices(thief.id)]).toEqual([1, 0]);
});

it('notifications in a browser beyond a user’s limit replace those in the oldest browser', async () => {
  let first = '';
  let person = await app.signIn('reader');
  for (let browser = 0; browser <= MAX_PUSH_DEVICES; browser += 1) {
    const endpoint = await turnOn(app, person);
    first ||= endpoint;
    await app.advance(1);
    person = await app.signIn('reader', { cookie: '' });
  }
  const rows = await query<{ endpoint: string }>(
    'SELECT endpoint FROM push_devices WHERE user_id = ?',
    person.id,
  );
  expect([rows.length, rows.some(({ endpoint }) => endpoint === first)]).toEqual([MAX_PUSH_DEVICES, false]);
});

it('notifications are refused for an invalid key and for an address that is no push service', async () => {
  const { endpoint, keys } = await newBrowser();
  const person = await app.signIn('reader');
  const expectRefused = (body: unknown, code: ErrorCode) => expectRefusal(putDevice(app, person, body), code);
  for (const p256dh of [`B${'A'.repeat(86)}`, `B${'A'.repeat(86)}===`]) {
    await expectRefused({ endpoint, keys: { ...keys, p256dh } }, 'request.invalid');
  }
  for (const url of [
    'http://169.254.169.254/latest',
    'https://evil.example/push',
    'https://localhost/push',
  ]) {
    await expectRefused({ endpoint: url, keys }, 'push.service_unknown');
  }
  expect(await countDevices(person.id)).toBe(0);
});

import { json } from 'virtual:api-docs';
import { beforeEach, expect, it, vi } from 'vitest';
import { FRESH_SIGN_IN_MS } from '#schema/constants/people.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { Webhook, WebhookSamples } from '#schema/contracts/webhooks.ts';
import { privateUrls } from '#test/access/private-urls.ts';
import { createPaidCaller, endCall, keepCallersActive, makeCall, MINTS } from '#test/people/callers.ts';
import { readDatabase } from '#test/database/database.ts';
import { openWebhook, putWebhook } from '#test/messages/webhooks.ts';
import { pay } from '#test/payments/payments.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { NO_LIMITS } from '#test/test-limits.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;
let subscriber: Person;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app));
  subscriber = await app.signIn('subscriber');
  await pay({ person: subscriber, callerId: caller.id });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

const open = () => makeCall({ caller, mint: MINTS.WIF, price: 2, thesis: 'Hats.' });
const update = (callId: string, message: string) =>
  readResponse(caller.post('/api/telegram/send-update', { callId, message }));
const read = (person = subscriber) => readResponse<Webhook>(person.get('/api/user/webhook'));

it('a webhook gets a call’s events with a signature and increasing versions', async () => {
  const webhook = await openWebhook(app, subscriber);
  const call = await open();
  await app.webhookSender.deliver();
  await app.advance(1);
  await update(call.id, 'Half sold.');
  await app.webhookSender.deliver();
  await endCall({ caller, call, price: 3 });
  await app.webhookSender.deliver();
  const received = await webhook.list();
  expect(received.map(({ isSigned }) => isSigned)).toEqual([true, true, true]);
  expect(new Set(received.map(({ id }) => id)).size).toBe(3);
  const bodies = await webhook.bodies();
  expect(bodies).toMatchObject([
    { type: 'call.opened', data: { id: call.id, thesis: 'Hats.', entryPrice: '2', endedAt: null } },
    { type: 'call.updated', data: { id: call.id, message: 'Half sold.' } },
    { type: 'call.ended', data: { id: call.id, endPrice: '3' } },
  ]);
  const versions = bodies.map(({ data }) => data.version);
  expect(versions).toEqual([...new Set(versions)].toSorted((one, other) => one - other));
  expect((await read()).deliveries.map(({ kind, result }) => `${kind} ${result}`)).toEqual([
    'call_ended delivered',
    'call_update delivered',
    'call_opened delivered',
  ]);
});

it('a webhook gets received payments and the end of a subscription', async () => {
  const [ofCaller, ofSubscriber] = [await openWebhook(app, caller), await openWebhook(app, subscriber)];
  await app.advance(MINUTE_MS);
  await app.runJobs('payments', 'messages');
  await app.webhookSender.deliver();
  expect(await ofCaller.bodies()).toMatchObject([{ type: 'payment.received', data: { subscriber: null } }]);
  await keepCallersActive();
  await app.advance(23 * DAY_MS);
  await app.runJobs('messages');
  expect(await app.webhookSender.events()).toEqual([]);
  await app.advance(7 * DAY_MS);
  await app.runJobs('messages', 'subscriptions');
  await app.webhookSender.deliver();
  expect(await ofSubscriber.bodies()).toMatchObject([
    { type: 'subscription.ended', data: { callerId: caller.id } },
  ]);
});

it('a failing webhook delivery is retried for a day and then listed as unsent', async () => {
  const webhook = await openWebhook(app, subscriber);
  await webhook.setStatus(500);
  await open();
  const started = app.clock.now();
  while ((await app.webhookSender.waiting()).length > 0 || app.clock.now() === started) {
    await app.webhookSender.deliver();
  }
  expect((app.clock.now() - started) / HOUR_MS).toBeGreaterThan(23);
  expect((app.clock.now() - started) / HOUR_MS).toBeLessThan(25);
  const attempts = await webhook.list();
  expect(attempts.length).toBeGreaterThan(50);
  expect(new Set(attempts.map(({ id }) => id)).size).toBe(1);
  expect((await read()).deliveries).toMatchObject([{ kind: 'call_opened', result: 'unsent' }]);
  expect(JSON.stringify(await read())).not.toContain('Hats');
});

it.each(
  Object.entries<() => Promise<unknown>>({
    'its removal': () => readResponse(subscriber.delete('/api/user/ways/webhook')),
    'the deletion of the account': () =>
      readResponse(subscriber.post('/api/user/deletion', { handle: subscriber.handle })),
    'the end of the subscription': () => app.advance(2 * HOUR_MS),
  }),
)('a webhook gets no more events and no retries after %s', async (_name, stop) => {
  const webhook = await openWebhook(app, subscriber);
  await keepCallersActive();
  await app.advance(30 * DAY_MS - HOUR_MS);
  caller = await app.signIn(caller.handle);
  subscriber = await app.signIn('subscriber');
  await webhook.setStatus(500);
  const call = await open();
  await app.webhookSender.deliver();
  const before = (await webhook.list()).length;
  expect(before).toBeGreaterThan(0);
  await webhook.setStatus(204);
  await stop();
  await update(call.id, 'Half sold.');
  await app.webhookSender.deliver();
  await app.webhookSender.deliver();
  expect((await webhook.list()).length).toBe(before);
  expect(await app.webhookSender.waiting()).toEqual([]);
});

it('a slow webhook is skipped in the next runs, even after a change of its address, and gets its events in order', async () => {
  const webhook = await openWebhook(app, subscriber);
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (String(input).includes('/webhooks/')) await app.clock.sleep(4_900);
    return fetch(input, init);
  });
  const call = await open();
  await app.webhookSender.deliver();
  expect((await webhook.list()).length).toBe(1);
  const moved = await openWebhook(app, subscriber);
  await update(call.id, 'Half sold.');
  await app.webhookSender.deliver();
  expect((await moved.list()).length).toBe(0);
  await app.advance(30 * SECOND_MS);
  await update(call.id, 'All sold.');
  while ((await app.webhookSender.waiting()).length > 0) await app.webhookSender.deliver();
  expect((await moved.list()).map(({ isSigned }) => isSigned)).toEqual([true, true]);
  expect((await moved.bodies()).map(({ data }) => 'message' in data && data.message)).toEqual([
    'Half sold.',
    'All sold.',
  ]);
});

it('a webhook’s redirect is not followed, and a 410 response removes the webhook', async () => {
  const webhook = await openWebhook(app, subscriber);
  await webhook.setStatus(302);
  await open();
  await app.webhookSender.deliver();
  expect((await read()).deliveries).toMatchObject([{ result: 'waiting' }]);
  await webhook.setStatus(410);
  await app.webhookSender.deliver();
  expect(await read()).toMatchObject({ url: null, deliveries: [{ result: 'unreachable' }] });
});

it('saving a webhook needs a recent sign-in and a public https address', async () => {
  app = await createTestApp({ bindings: NO_LIMITS });
  subscriber = await app.signIn('other');
  for (const url of privateUrls) {
    const { status } = await putWebhook(app, subscriber, url);
    expect([400, 422], url).toContain(status);
  }
  await app.advance(FRESH_SIGN_IN_MS);
  const late = putWebhook(app, subscriber, 'https://hooks.solana.com/mine');
  await expectRefusal(late, 'auth.fresh_sign_in_needed');
  expect((await read()).url).toBeNull();
});

it('the secret of a webhook is shown once and is not in plain text in the database', async () => {
  const { secret } = await openWebhook(app, subscriber);
  expect(secret).toMatch(/^whsec_[\w+/]{32}$/);
  expect(JSON.stringify(await read())).not.toContain(secret);
  expect(JSON.stringify(await readDatabase())).not.toContain(secret.slice('whsec_'.length));
});

it('samples of every kind reach the webhook, marked and signed, and the response has the receiver’s status', async () => {
  const send = () => readResponse<WebhookSamples>(subscriber.post('/api/user/webhook/samples'));
  await expectRefusal(subscriber.post('/api/user/webhook/samples'), 'webhooks.not_found');
  const webhook = await openWebhook(app, subscriber);
  expect(await send()).toEqual({ status: 204, sent: 6 });
  const received = await webhook.list();
  expect(received.every(({ id, isSigned }) => isSigned && id.startsWith('sample:'))).toBe(true);
  expect(new Set(received.map(({ id }) => id)).size).toBe(6);
  expect((await webhook.bodies()).every(({ isSample }) => isSample === true)).toBe(true);
  const { webhooks } = JSON.parse(json) as { webhooks: object };
  expect((await webhook.types()).toSorted()).toEqual(Object.keys(webhooks).toSorted());
  await webhook.setStatus(500);
  expect(await send()).toEqual({ status: 500, sent: 1 });
});

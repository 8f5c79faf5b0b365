import { expect, it, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { createPaidCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { createCrowdedCaller, runCrowd } from '#test/people/crowd-run.ts';
import { gatherFollowers } from '#test/people/crowd.ts';
import { query } from '#test/database/database.ts';
import { withSenderModel } from '#test/messages/sender-model.ts';
import { interceptTelegram } from '#test/messages/telegram-model.ts';

// These tests run in virtual time. The largest crowd is in crowd.deep.test.ts.

it('an update reaches 1,205 recipients at MESSAGES_PER_SECOND, and reaches one of them twice only if the sender crashed before it recorded the message', async () => {
  await runCrowd({ recipients: 1_205, deathsAfter: [300, 800] });
});

it('an update reaches 3 followers within 2 s while 10,000 messages of another caller wait', async () => {
  const { app, update } = await createCrowdedCaller('amara_calls', { count: 10_000 });
  const { caller: small } = await createPaidCaller(app, { handle: 'small_calls' });
  const call = await makeCall({ caller: small, mint: MINTS.JUP, price: 1 });
  await app.sender.deliver();
  await gatherFollowers({ callerId: small.id, count: 3, first: 10_001 });
  const waited = await withSenderModel({ startsAt: app.clock.now() }, async (model) => {
    const { clock } = model;
    const telegram = interceptTelegram({ clock, seed: 'small', refusedShare: 0.1 });
    const isTaken = () => [1, 2, 3].every((number) => telegram.taken.has(String(10_000 + number)));
    let sentAt = 0;
    let takenAt = 0;
    const sendLater = async () => {
      await clock.sleep(10 * SECOND_MS);
      sentAt = clock.now();
      await model.services.callUpdates.send({
        userId: small.id,
        body: { callId: call.id, message: 'Take half off.' },
      });
      while (!isTaken()) await clock.sleep(10);
      takenAt = clock.now();
    };
    await clock.run(model.services.callUpdates.send(update));
    await clock.run(Promise.all([sendLater(), model.send(isTaken)]));
    return takenAt - sentAt;
  });
  expect(waited).toBeLessThanOrEqual(2 * SECOND_MS);
});

it('each of 1,205 followers gets the second update after the first one', async () => {
  const { app, update } = await createCrowdedCaller('amara_calls', { count: 1_205 });
  const texts = ['Take half off.', 'Sell now.'];
  await withSenderModel({ startsAt: app.clock.now() }, async (model) => {
    const { clock, services } = model;
    const telegram = interceptTelegram({ clock, seed: 'two updates', refusedShare: 0.1 });
    const sendUpdate = (message: string) =>
      services.callUpdates.send({ ...update, body: { ...update.body, message } });
    const sendSecond = async () => {
      await clock.sleep(10 * SECOND_MS);
      await sendUpdate(texts[1] ?? '');
    };
    await clock.run(sendUpdate(texts[0] ?? ''));
    await clock.run(Promise.all([sendSecond(), model.send()]));
    const orders = [...telegram.taken.values()].map((messages) =>
      messages.map((message) => texts.findIndex((text) => message.includes(text))),
    );
    expect(orders).toHaveLength(1_205);
    expect(orders.filter((order) => order.join() !== '0,1')).toEqual([]);
  });
});

interface Limit {
  readonly limitedMs: number;
  readonly retryAfterSeconds: number;
}

/** Sends an update to three followers while Telegram rate-limits the bot. Returns the number of messages per follower. */
async function sendWithLimitedBot(limit: Limit): Promise<number[]> {
  for (const level of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation(() => undefined);
  }
  const { app, update } = await createCrowdedCaller('amara_calls', { count: 3 });
  const startsAt = app.clock.now();
  return withSenderModel({ startsAt }, async (model) => {
    const { taken } = interceptTelegram({
      clock: model.clock,
      seed: 'limited',
      limited: { until: startsAt + limit.limitedMs, retryAfterSeconds: limit.retryAfterSeconds },
    });
    await model.clock.run(model.services.callUpdates.send(update));
    await model.clock.run(model.send());
    return [1, 2, 3].map((chatId) => taken.get(String(chatId))?.length ?? 0);
  });
}

it('the sender sends each message once after Telegram rate-limited the bot for 50 minutes', async () => {
  const times = await sendWithLimitedBot({ limitedMs: 50 * MINUTE_MS, retryAfterSeconds: 120 });
  expect(times).toEqual([1, 1, 1]);
  expect(await query('SELECT * FROM failed_deliveries')).toEqual([]);
});

it('the sender gives up an update after an hour of rate limits, and records one failure for operators', async () => {
  const times = await sendWithLimitedBot({ limitedMs: 2 * HOUR_MS, retryAfterSeconds: 120 });
  expect(times).toEqual([0, 0, 0]);
  expect(await query('SELECT messages, error FROM failed_deliveries')).toEqual([
    { messages: 3, error: 'Not sent in time' },
  ]);
  expect(await query("SELECT failed FROM call_events WHERE kind = 'call_update'")).toEqual([{ failed: 3 }]);
});

import { beforeEach, expect, it, vi } from 'vitest';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { gatherFollowers } from '#test/people/crowd.ts';
import { query } from '#test/database/database.ts';
import { postUpdate, textUpdate } from '#test/messages/telegram.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

// Telegram takes 100 ms per message here, so a batch takes seconds, and the tests can change data during it.

const FOLLOWERS = 60;
const CHANGE_AFTER = 20;
const RESPONSE_MS = 100;

let app: TestApp;
let caller: Person;
let call: TokenCall;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'amara_calls' }));
  await gatherFollowers({ callerId: caller.id, count: FOLLOWERS });
  call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
});
/** Sends due messages and runs `change` after the 20th. Returns each message's chat and its time since `change`. */
async function deliverDuring(change: () => Promise<unknown>): Promise<{ chatId: number; afterMs: number }[]> {
  const { fetch } = globalThis;
  const sent: { chatId: number; at: number }[] = [];
  let changedAt = Number.POSITIVE_INFINITY;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (!String(input instanceof Request ? input.url : input).endsWith('/sendMessage')) {
      return fetch(input, init);
    }
    const { chat_id: chatId, text } = JSON.parse(String(init?.body)) as { chat_id: string; text: string };
    // The call's end also causes messages.
    if (!text.startsWith('New call')) return Response.json({ ok: true, result: {} });
    sent.push({ chatId: Number(chatId), at: app.clock.now() });
    if (sent.length === CHANGE_AFTER) {
      await change();
      changedAt = app.clock.now();
    }
    await app.advance(RESPONSE_MS);
    return Response.json({ ok: true, result: {} });
  });
  expect(await app.sender.deliver()).toEqual([]);
  return sent.map(({ chatId, at }) => ({ chatId, afterMs: at - changedAt }));
}

const isEven = ({ chatId }: { chatId: number }) => chatId % 2 === 0;
const stopAll = async () => {
  for (let chatId = 2; chatId <= FOLLOWERS; chatId += 2) {
    await postUpdate(app, textUpdate({ chatId, text: '/stop' }));
  }
};

const evenFollowers = "twitter_handle GLOB 'f[0-9]*' AND substr(twitter_handle, 2) % 2 = 0";

it.each(
  Object.entries<() => Promise<unknown>>({
    'sends /stop': stopAll,
    'loses access': () =>
      query(
        `UPDATE subscriptions SET ends_at = 1 WHERE subscriber_id IN (SELECT id FROM users WHERE ${evenFollowers})`,
      ),
    'mutes the caller': () =>
      query(
        `INSERT INTO notification_mutes (user_id, caller_id, at) SELECT id, ?, 0 FROM users WHERE ${evenFollowers}`,
        caller.id,
      ),
    'switches new calls off': () =>
      query(
        `INSERT INTO notification_opt_outs (user_id, kind) SELECT id, 'call_opened' FROM users WHERE ${evenFollowers}`,
      ),
  }),
)(
  'a follower who %s while a batch is being sent gets no message more than a second later',
  async (_what, change) => {
    const sent = await deliverDuring(change);
    expect(sent.filter((message) => isEven(message) && message.afterMs > SECOND_MS)).toEqual([]);
    expect(sent.filter((message) => !isEven(message))).toHaveLength(FOLLOWERS / 2);
    expect(sent.filter(isEven).length).toBeLessThan(FOLLOWERS / 2);
    expect(await query('SELECT delivered, failed FROM call_events')).toEqual([
      { delivered: sent.length, failed: 0 },
    ]);
    expect(await app.sender.events()).toEqual([]);
  },
);

it('no message about a new call is sent more than a second after the call ended', async () => {
  const sent = await deliverDuring(() => endCall({ caller, call, price: 3 }));
  expect(sent.length).toBeGreaterThanOrEqual(CHANGE_AFTER);
  expect(sent.filter(({ afterMs }) => afterMs > SECOND_MS)).toEqual([]);
  expect(await query("SELECT delivered FROM call_events WHERE kind = 'call_opened'")).toEqual([
    { delivered: sent.length },
  ]);
});

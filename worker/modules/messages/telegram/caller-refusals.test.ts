import { beforeEach, expect, it } from 'vitest';
import { CALL_ATTEMPTS, MAX_CALLS_PER_HOUR } from '#schema/constants/market.ts';
import { MAX_UPDATES_PER_CALL, MAX_UPDATES_PER_WINDOW } from '#schema/constants/messages.ts';
import { HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import { ROUTES } from '#test/access/routes.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { query } from '#test/database/database.ts';
import { connectTelegram, openBotChat } from '#test/messages/telegram.ts';
import { callBody, createCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

// The tests provoke each error of the routes on the site and in the chat, and compare the messages.

const { WIF, JUP } = MINTS;
let app: TestApp;
let caller: Person;
let chat: ReturnType<typeof openBotChat>;
let active: TokenCall;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'amara_calls');
  chat = openBotChat(app, await connectTelegram(app, caller));
  await readResponse(caller.patch('/api/user/telegram-calls', { isOn: true }));
  active = await makeCall({ caller, mint: JUP, price: 1 });
  await control('POST', '/prices', { mint: WIF, price: 2 });
});

type Cases = Partial<Record<ErrorCode, () => unknown>>;

const setPrices = (jupiter: object, dexscreener: object) => {
  const pin = (source: string, fields: object) => [WIF, JUP].map((mint) => ({ mint, source, ...fields }));
  return control('POST', '/prices', [...pin('jupiter', jupiter), ...pin('dexscreener', dexscreener)]);
};
const fail = (...services: string[]) =>
  Promise.all(services.map((service) => control('POST', '/faults', { service, status: 503 })));
const attemptTooOften = () =>
  query(
    "INSERT INTO attempts (action, person, full_at) VALUES ('calls.price', ?, ?) ON CONFLICT DO UPDATE SET full_at = excluded.full_at",
    caller.id,
    app.clock.now() + CALL_ATTEMPTS.burst * CALL_ATTEMPTS.everyMs,
  );

const FRESH_PRICE: Cases = {
  'prices.unavailable': () => fail('jupiter', 'dexscreener'),
  'prices.missing': () => setPrices({ price: null }, { price: null }),
  'prices.disagree': () => setPrices({ price: 2 }, { price: 9 }),
  'prices.stale': () => setPrices({ price: 2, ageMs: 2 * MINUTE_MS }, { price: null }),
  'prices.undated': async () => {
    await setPrices({ price: 2 }, { price: null });
    await control('POST', '/faults', { service: 'solana', status: 503, path: 'getSlot' });
  },
  'prices.unit_unknown': () => fail('solana'),
  'prices.busy': async () => {
    await control('POST', '/jupiter/rate-limit', { limit: 1, windowMs: MINUTE_MS });
    await app.request(`/api/tokens/${MINTS.BONK}`);
  },
  'calls.too_many_attempts': attemptTooOften,
};

const OPEN: Cases = {
  ...FRESH_PRICE,
  'users.suspended': () => query('UPDATE users SET is_suspended = 1 WHERE id = ?', caller.id),
  'account.deletion_requested': () =>
    query('UPDATE callers SET deletes_at = ? WHERE caller_id = ?', app.clock.now() + HOUR_MS, caller.id),
  'calls.already_called': () => makeCall({ caller, mint: WIF, price: 2 }),
  'calls.price_moved': () => control('POST', '/prices', { mint: WIF, price: 3 }),
  'calls.paused': () =>
    query("INSERT INTO pauses (kind, reason, at) VALUES ('calls', 'Repairs.', ?)", app.clock.now()),
  'calls.too_many': () =>
    insertRows(
      'calls',
      Array.from({ length: MAX_CALLS_PER_HOUR }, (_, number) => ({
        id: `old-${number}`,
        caller_id: caller.id,
        token_mint: `old-${number}`,
        token_symbol: `OLD${number}`,
        entry_price: '1',
        called_at: app.clock.now() - 1,
      })),
    ),
};

const endOnSite = () => caller.patch(`/api/token-calls/${active.id}/end`);
const END: Cases = {
  ...FRESH_PRICE,
  'calls.already_ended': endOnSite,
  'calls.gain_not_counted': () => control('POST', '/prices', { mint: JUP, price: 1.02 }),
};

const sendOnSite = (message: string) =>
  caller.post('/api/telegram/send-update', { callId: active.id, message });
const UPDATE: Cases = {
  'updates.message_invalid': () => undefined,
  'updates.too_many': async () => {
    for (let number = 0; number < MAX_UPDATES_PER_WINDOW; number += 1) {
      await readResponse(sendOnSite(`Update ${number}`));
    }
  },
  'updates.call_full': () =>
    query(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
         INSERT INTO call_updates (id, call_id, message, created_at)
         SELECT 'u-' || i, ?2, 'Old', ?3 FROM n`,
      MAX_UPDATES_PER_CALL,
      active.id,
      app.clock.now() - HOUR_MS,
    ),
};

/** The chat can't cause these errors. */
const IMPOSSIBLE: Partial<Record<ErrorCode, string>> = {
  'users.not_a_caller': 'only callers can switch calls on, and they stay callers',
  'tokens.not_found': 'the card has already shown the token',
  'calls.not_yours': 'the account of the chat is the caller, and the chat offers only its own calls',
  'calls.already_ended': 'an update is about an active call',
  'calls.not_found': 'the chat offers only calls that exist',
  'calls.target_invalid': 'a call from the chat has no target',
  'calls.stop_invalid': 'a call from the chat has no stop',
};

const routes: [string, Cases][] = [
  ['POST /api/token-calls', OPEN],
  ['PATCH /api/token-calls/:id/end', END],
  ['POST /api/telegram/send-update', UPDATE],
];

it.each(routes)(
  'each error code of %s has a test in the chat or a reason why it cannot occur in the chat',
  (route, cases) => {
    const facts = ROUTES.find((each) => each.route === route)?.facts;
    const listed: readonly ErrorCode[] = (facts && 'errors' in facts && facts.errors) || [];
    expect(listed.length).toBeGreaterThan(2);
    expect(listed.filter((code) => !(code in cases) && !(code in IMPOSSIBLE))).toEqual([]);
  },
);

it.each(Object.entries(OPEN))(
  'a call from the chat that fails with %s gets the site’s error message',
  async (code, provoke) => {
    const card = await chat.send(`/call ${WIF}`);
    await provoke();
    const reply = await chat.press(card, 'Confirm');
    const body = callBody({ caller, mint: WIF, entryPrice: '2', symbol: 'WIF' });
    if (code === 'calls.too_many_attempts') await attemptTooOften();
    const { message } = await expectRefusal(caller.post('/api/token-calls', body), code as ErrorCode);
    const isPriced = code === 'calls.price_moved';
    expect(reply?.text).toBe(isPriced ? `\u2068WIF\u2069 (\u2068dogwifhat\u2069): ${message}` : message);
  },
);

it.each(Object.entries(END))(
  'an end from the chat that fails with %s gets the site’s error message',
  async (code, provoke) => {
    const card = await chat.send('/end');
    await provoke();
    const reply = await chat.press(card, 'Confirm');
    const isPriced = code === 'calls.gain_not_counted';
    const path = `/api/token-calls/${active.id}/end${isPriced ? '?onlyIfCounted=true' : ''}`;
    const { message } = await expectRefusal(caller.patch(path), code as ErrorCode);
    expect(reply?.text).toBe(isPriced ? `The call is still active. ${message}` : message);
  },
);

it.each(Object.entries(UPDATE))(
  'an update from the chat that fails with %s gets the site’s error message',
  async (code, provoke) => {
    await provoke();
    const text = code === 'updates.message_invalid' ? 'x'.repeat(4_000) : 'Half sold.';
    const reply = await chat.send(`/update ${text}`);
    const { message } = await expectRefusal(sendOnSite(text), code as ErrorCode);
    expect(reply.text).toBe(message);
  },
);

import { beforeEach, expect, it, vi } from 'vitest';
import { FOLLOWER_RECORD_DELAY_MS } from '#schema/constants/market.ts';
import { OUTBOX_BATCH_SIZE } from '#schema/constants/messages.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { CallerResults } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { gainOf } from '#schema/rules/calls/calculator.ts';
import { formatExactGain } from '#schema/rules/text/gains.ts';
import { countRows } from '#test/database/count-rows.ts';
import { query } from '#test/database/database.ts';
import { runScript } from '#test/database/run-script.ts';
import { withSenderModel } from '#test/messages/sender-model.ts';
import { interceptTelegram } from '#test/messages/telegram-model.ts';
import { connectTelegram, writtenTo } from '#test/messages/telegram.ts';
import { pay } from '#test/payments/payments.ts';
import { createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { readResponse } from '#test/responses.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;
let person: Person;
let chatId: number;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'amara_calls' }));
  person = await app.signIn('paper_follower');
  chatId = await connectTelegram(app, person);
});

const follow = (amountUsd: number | null, by = person) =>
  readResponse(by.put(`/api/paper-follows/${caller.id}`, { amountUsd }));
const received = async () => (await writtenTo(chatId)).filter((text) => text.includes(' ended '));
const open = () => makeCall({ caller, mint: MINTS.WIF, price: 2 });

/** Ends a call after a quarter of an hour, and records the price marks of its opening and end. */
async function end(call: TokenCall): Promise<void> {
  await app.advance(MINUTE_MS);
  await app.runJobs('prices');
  await app.advance(15 * MINUTE_MS);
  await endCall({ caller, call, price: 3 });
  await app.advance(MINUTE_MS);
  await app.runJobs('prices');
}

/** Records the result, and sends the due notices. */
async function announce(): Promise<void> {
  await app.advance(FOLLOWER_RECORD_DELAY_MS);
  await app.runJobs('calls', 'messages');
  await app.sender.deliver();
}

const waiting = () => query("SELECT subject FROM facts WHERE kind = 'paper_ended'");

it('a follower on paper gets one notice that a Paid caller’s call has ended, with the public result', async () => {
  await follow(100);
  const call = await open();
  await end(call);
  await app.runJobs('calls', 'messages');
  await app.sender.deliver();
  expect(await received()).toEqual([]);
  await announce();
  await announce();
  const { calls } = await readResponse<CallerResults>(app.request(`/api/callers/${caller.id}/results`));
  const gain = calls[0] ? gainOf(calls[0], 100) : null;
  expect(gain).toBeGreaterThan(0);
  expect(await received()).toEqual([
    `\u2068WIF\u2069 ended +50.0%. On paper: ${formatExactGain(gain ?? 0)}.\n\n` +
      'The call was by \u2068Amara Lanternby\u2069 (@\u2060amara_calls), whom you have on paper.\n\n' +
      'https://solcallers.test/portfolio',
  ]);
  expect(await waiting()).toEqual([]);
});

it('a follower on paper without an amount gets a notice of a call’s end without a result on paper', async () => {
  await follow(null);
  await end(await open());
  await announce();
  expect(await received()).toEqual([
    expect.stringMatching(
      /^\u2068WIF\u2069 ended \+50\.0%\.\n\nThe call was by .*, whom you have on paper\.\n\n/,
    ),
  ]);
});

it('no notices are queued for a call that ends without followers on paper', async () => {
  await end(await open());
  await app.advance(FOLLOWER_RECORD_DELAY_MS);
  await app.runJobs('calls');
  expect(await waiting()).toEqual([]);
});

it.each(
  Object.entries<() => Promise<unknown>>({
    'has begun to follow after the call': () => follow(100),
    'has changed the amount since the call': async () => {
      await query('UPDATE paper_follows SET since = since - 1');
      await follow(5);
    },
    'no longer follows': () => person.delete(`/api/paper-follows/${caller.id}`),
    'has muted the caller': () => person.put(`/api/user/notifications/mutes/${caller.id}`),
    'has switched off ended calls': () =>
      person.patch('/api/user/notifications', { kind: 'call_ended', isOn: false }),
    'subscribes and so gets the subscribers’ message': () => pay({ person, callerId: caller.id }),
  }),
)('no paper notice reaches a person who %s', async (what, change) => {
  const isLater = what.startsWith('has begun');
  if (!isLater) await follow(100);
  const call = await open();
  await app.advance(1);
  await change();
  await end(call);
  await announce();
  expect((await received()).filter((text) => /paper|watch/.test(text))).toEqual([]);
});

it('no paper notice is sent about an unranked call', async () => {
  await follow(100);
  await end(await makeCall({ caller, mint: MINTS.THIN, price: 2 }));
  await announce();
  expect([await received(), await waiting()]).toEqual([[], []]);
});

it('a forged paper notice about an active call, a call without a result or a hidden caller sends nothing', async () => {
  await follow(100);
  const call = await open();
  const forge = async (id: string) => {
    await app.sender.add({ kind: 'paper_ended', id, userId: person.id, subject: call.id });
    await app.sender.deliver();
    return received();
  };
  expect(await forge('open')).toEqual([]);
  await end(call);
  expect(await forge('unrecorded')).toEqual([]);
  await app.advance(FOLLOWER_RECORD_DELAY_MS);
  await app.runJobs('calls');
  await query('UPDATE users SET is_hidden = 1 WHERE id = ?', caller.id);
  expect(await forge('hidden')).toEqual([]);
});

it('each of many followers on paper gets one notice per ended call, over several pages', async () => {
  const count = 2 * OUTBOX_BATCH_SIZE + 1;
  await runScript(
    `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
    SELECT 'f' || i, 'f' || i, 'f' || i, 'Made', 'Up', 0, 0 FROM n;
    INSERT INTO paper_follows (user_id, caller_id, amount_usd, since) SELECT 'f' || i, '${caller.id}', 1, 0 FROM n;
    INSERT INTO telegram_links (user_id, handle, chat_id, connected_at, updated_at)
    SELECT 'f' || i, '@tele_f' || i, 'chat-f' || i, 0, 0 FROM n;`,
    { count },
  );
  const calls = [await open(), await makeCall({ caller, mint: MINTS.JUP, price: 2 })];
  for (const call of calls) await end(call);
  await app.advance(FOLLOWER_RECORD_DELAY_MS);
  await app.runJobs('calls');
  expect(await waiting()).toHaveLength(2);
  await app.runJobs('messages');
  expect(await waiting()).toEqual([]);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await control('POST', '/faults', {
    service: 'telegram',
    path: 'sendMessage',
    status: 500,
    count: 50 * count,
  });
  await app.sender.deliver();
  const told = Map.groupBy(await app.sender.waiting(), ({ userId }) => userId);
  expect([told.size, ...new Set([...told.values()].map(({ length }) => length))]).toEqual([count, 2]);
});

/** Ended calls, each of another caller with one follower on paper. One follower in `every` has connected Telegram. */
const insertEndedCalls = (count: number, every: number) =>
  runScript(
    `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
    SELECT kind || i, kind || i, kind || i, 'Made', 'Up', 0, 0 FROM n, (SELECT 'c' AS kind UNION ALL SELECT 'f');
    INSERT INTO callers (caller_id, search_text, created_at, updated_at) SELECT 'c' || i, 'c', 0, 0 FROM n;
    INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, end_price, ended_at,
      change_percent, follower_rule)
    SELECT 'call' || i, 'c' || i, 'mint', 'T', 'Token', '1', 1, '2', 1, 100, 'gain_without_mark' FROM n;
    INSERT INTO paper_follows (user_id, caller_id, amount_usd, since) SELECT 'f' || i, 'c' || i, 1, 0 FROM n;
    INSERT INTO telegram_links (user_id, handle, chat_id, connected_at, updated_at)
    SELECT 'f' || i, '@f' || i, 'chat-' || i, 0, 0 FROM n WHERE i % ${every} = 0;
    INSERT INTO facts (is_reminder, at, kind, subject, user_id)
    SELECT 0, ${app.clock.now()}, 'paper_ended', 'call' || i, 'c' || i FROM n;`,
    { count },
  );

it.each([
  ['whose followers all have Telegram', 300, 1],
  ['most of whose followers have no Telegram', 800, 4],
])('a sender’s run stays within D1’s queries with notices of many calls %s', async (_, count, every) => {
  await insertEndedCalls(count, every);
  await withSenderModel({ startsAt: app.clock.now() }, async ({ clock, services, figures, send }) => {
    const { taken } = interceptTelegram({ clock, seed: 'paper', refusedShare: 0 });
    await clock.run(services.messagesWriter.write());
    await clock.run(send());
    expect(taken.size).toBe(count / every);
    expect(figures.mostQueriesOfRun).toBeLessThanOrEqual(350);
  });
});

it('a sender runs at most five statements for a paper notice, and reads 21 rows', async () => {
  const cost = { statements: 0, rows: 0 };
  const DB = countRows(testEnv.DB, ({ rows }) => {
    cost.statements += 1;
    cost.rows += rows;
  });
  const count = 100;
  const counted = await createTestApp({ bindings: { DB } });
  await insertEndedCalls(count, 1);
  await counted.services.messagesWriter.write();
  const before = { ...cost };
  await counted.sender.deliver();
  expect((cost.statements - before.statements) / count).toBeLessThanOrEqual(5);
  expect((cost.rows - before.rows) / count).toBeLessThanOrEqual(21);
});

import { getTableName } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import {
  DELETION_MAX_WAIT_MS,
  ERASED_CALLS_PER_SLICE,
  ERASED_SLICES_PER_RUN,
  FRESH_SIGN_IN_MS,
} from '#schema/constants/people.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { allTables, factsOf } from '#schema/tables/table.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import {
  createPaidCaller,
  endCall,
  makeCall,
  makeCallWithTexts,
  MINTS,
  proveWallet,
} from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { DELETIONS } from '../../running/backup/backup-files.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { runScript } from '#test/database/run-script.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import {
  claimBody,
  land,
  openIntent,
  pay,
  send,
  waitUntilConfirmed,
  signPayment,
} from '#test/payments/payments.ts';
import { connectTelegram } from '#test/messages/telegram.ts';
import { createOperatedApp } from '#test/people/operators.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { ownerOf } from './own-rows.repository.ts';

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

const remove = (person: Person, handle = person.handle) => person.post('/api/user/deletion', { handle });

/** The tables and columns in which a text occurs. */
async function placesOf(text: string): Promise<string[]> {
  const tables = await readDatabase();
  const places = Object.entries(tables).flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row).flatMap(([column, value]) =>
        String(value).toLowerCase().includes(text.toLowerCase()) ? [`${table}.${column}`] : [],
      ),
    ),
  );
  const { keys } = await testEnv.PRICES.list();
  const values = await Promise.all(keys.map(async ({ name }) => [name, await testEnv.PRICES.get(name)]));
  const inKeys = values.flatMap(([name, value]) => (`${name} ${value}`.includes(text) ? ['KV'] : []));
  return [...new Set([...places, ...inKeys])].toSorted();
}

/** Lists the accounts that a restored backup must delete again. */
async function notedDeletions(): Promise<string[]> {
  const { objects } = await testEnv.BACKUPS.list({ prefix: DELETIONS });
  return objects.map(({ key }) => key.split('/').at(-1) ?? '');
}

it('an account’s deletion that is refused because a call was opened meanwhile isn’t noted for a later restore', async () => {
  const { caller } = await createPaidCaller(app);
  const BACKUPS = {
    put: async (key: string, value: string) => {
      await testEnv.BACKUPS.put(key, value);
      await makeCall({ caller, mint: MINTS.BONK, price: 1 });
    },
    delete: (key: string) => testEnv.BACKUPS.delete(key),
  } as unknown as R2Bucket;
  const other = await createTestApp({ bindings: { BACKUPS } });
  await expectRefusal(remove(other.browser(caller)), 'account.open_calls');
  expect(await notedDeletions()).not.toContain(caller.id);
});

it('deleting a caller’s account erases every personal text, but not the calls and past payout addresses', async () => {
  const canary = 'canary';
  await control('POST', '/x/account', {
    handle: 'canary_handle',
    fields: { name: 'Canary Name', email: 'canary@example.com' },
  });
  const { caller, payout } = await createPaidCaller(app, { handle: 'canary_handle' });
  const spare = await createFundedWallet(1);
  await proveWallet(caller, spare);
  const chatId = await connectTelegram(app, caller);
  await readResponse(caller.patch('/api/user/profile', { bio: 'My canary bio' }));
  await readResponse(caller.patch('/api/user/notifications', { kind: 'call_opened', isOn: false }));
  const follower = await app.signIn('follower');
  await pay({ person: follower, callerId: caller.id });
  const texts = { thesis: 'A canary thesis', message: 'A canary update' };
  const { call } = await makeCallWithTexts({ caller, ...texts });
  await endCall({ caller, call, price: 2 });
  const { caller: rival } = await createPaidCaller(app, { handle: 'rival' });
  const report = { kind: 'caller', id: rival.id, reason: 'scam', text: 'A canary report' };
  await readResponse(caller.post('/api/reports', report), 201);
  await app.runCron();
  expect((await placesOf(canary)).length).toBeGreaterThan(5);

  await readResponse(remove(caller));
  await app.advance(DELETION_MAX_WAIT_MS);
  await app.runJobs('accounts');

  expect(await notedDeletions()).toContain(caller.id);
  expect(await placesOf(canary)).toEqual([]);
  expect(await placesOf(String(chatId))).toEqual([]);
  expect(await placesOf(spare.publicKey.toBase58())).toEqual([]);
  expect(await placesOf(payout.publicKey.toBase58())).toEqual([
    'payment_intents.caller_address',
    'payout_changes.new_address',
    'payout_changes.old_address',
  ]);
  const own = (table: string) => query(`SELECT * FROM ${table} WHERE user_id = ?`, caller.id);
  for (const table of ['sessions', 'devices', 'wallets', 'telegram_links', 'notification_opt_outs']) {
    expect([table, await own(table)]).toEqual([table, []]);
  }
  const shown = await readResponse<{ id: string; caller: { firstName: string } }>(
    app.request(`/api/token-calls/${call.id}`),
  );
  expect(JSON.stringify(shown)).not.toMatch(/canary/i);
  const recent = await (await app.request('/api/token-calls/ended')).text();
  expect(recent).toContain(call.id);
  expect(recent).toContain('Deleted caller');
  await expectRefusal(caller.get('/api/auth/user'), 'auth.required');
});

it('deleting an account closes open reports about the person, and erases the reports’ texts', async () => {
  const { caller } = await createPaidCaller(app);
  const { call, updateId } = await makeCallWithTexts({ caller });
  await endCall({ caller, call, price: 2 });
  const { caller: rival } = await createPaidCaller(app, { handle: 'rival' });
  const reporter = await app.signIn('reporter');
  for (const [kind, id] of [
    ['caller', caller.id],
    ['call', call.id],
    ['update', updateId],
    ['caller', rival.id],
  ]) {
    const report = { kind, id, reason: 'scam', text: 'A scam.' };
    await readResponse(reporter.post('/api/reports', report), 201);
  }

  await readResponse(remove(caller));

  expect(
    await query(
      'SELECT caller_id, text, resolved_at IS NULL AS is_open FROM reports ORDER BY text IS NULL, kind',
    ),
  ).toEqual([
    { caller_id: rival.id, text: 'A scam.', is_open: 1 },
    ...['call', 'caller', 'update'].map(() => ({ caller_id: caller.id, text: null, is_open: 0 })),
  ]);
});

it('deleting an account is refused while calls are open, and the error names them', async () => {
  const { caller } = await createPaidCaller(app);
  await makeCall({ caller, mint: MINTS.BONK, price: 1 });
  const { message } = await expectRefusalWithoutTrace(() => remove(caller), 'account.open_calls');
  expect(message).toContain('BONK');
  expect(await notedDeletions()).not.toContain(caller.id);
});

it('deleting an account needs the handle, and a recent sign-in', async () => {
  const person = await app.signIn('careful');
  await expectRefusalWithoutTrace(() => remove(person, 'another'), 'account.handle_mismatch');
  await app.advance(FRESH_SIGN_IN_MS);
  await expectRefusalWithoutTrace(() => remove(person), 'auth.fresh_sign_in_needed');
  const again = await app.signIn('careful');
  await readResponse(remove(again, '@Careful'));
});

it('a user who wasn’t a caller and deleted the account can sign in again with the same X account, as a new user', async () => {
  const person = await app.signIn('returning');
  await readResponse(remove(person));
  const again = await app.signIn('returning');
  expect(again.id).not.toBe(person.id);
  expect(await readResponse<CurrentUser>(again.get('/api/auth/user'))).toMatchObject({
    twitterHandle: 'returning',
    isCaller: false,
  });
});

it('a payment that lands after its caller has deleted the account grants access, and the amount is owed', async () => {
  const { caller } = await createPaidCaller(app);
  const late = await app.signIn('late_payer');
  const payer = await createFundedWallet(2);
  const terms = await openIntent(late, caller.id);
  await readResponse(remove(caller));

  await expectRefusal(
    late.post('/api/solana/get-latest-blockhash', { callerId: caller.id }),
    'subscriptions.caller_suspended',
  );
  const signed = signPayment({ terms, payer });
  await expectRefusal(send(late, signed), 'subscriptions.caller_suspended');
  const signature = await land(signed);
  await waitUntilConfirmed(app);
  const body = claimBody({ terms, callerId: caller.id, signature });
  await readResponse(late.post('/api/subscriptions', body), 201);
  const mine = await readResponse<{ isActive: boolean; caller: object }[]>(late.get('/api/subscriptions/my'));
  expect(mine).toMatchObject([{ isActive: true, caller: { firstName: 'Deleted caller' } }]);
  expect(await readResponse(late.get(`/api/payments/${signature}`))).toMatchObject({ owed: '0.45' });
  await app.runCron();
});

it('deleting an account ends its free follows, and corrects the follower counts', async () => {
  const { caller } = await createPaidCaller(app);
  await readResponse(caller.patch('/api/user/caller-profile', { monthlyFee: null }));
  const follower = await app.signIn('fan');
  await readResponse(follower.post('/api/subscriptions/free', { callerId: caller.id }), 201);
  await readResponse(remove(follower));
  expect(await query('SELECT * FROM subscriptions')).toEqual([]);
  expect(await query('SELECT subscriber_count FROM callers')).toEqual([{ subscriber_count: 0 }]);
});

it('a request gets 401 if its user’s account is deleted before the write', async () => {
  const follower = await app.signIn('follower');
  const DB = interceptDatabase(testEnv.DB, async ({ sql }, run) => {
    if (/insert into .?notification_opt_outs/i.test(sql)) await readResponse(remove(follower));
    return run();
  });
  const racing = await createTestApp({ bindings: { DB } });
  const { patch } = racing.browser(follower);
  await expectRefusal(
    patch('/api/user/notifications', { kind: 'call_opened', isOn: false }),
    'auth.required',
  );
});

it('writes for a deleted account fail or change nothing', async () => {
  const { caller } = await createPaidCaller(app);
  await readResponse(remove(caller));
  const person = await app.signIn('leaving');
  await readResponse(remove(person));
  const { caller: rival } = await createPaidCaller(app, { handle: 'rival' });
  const before = await readDatabase();
  for (const insert of [
    "sessions (token_hash, user_id, created_at, expires_at, device_hash) VALUES ('t', ?, 1, 9e15, 'd')",
    "wallets (id, user_id, address, created_at) VALUES ('w', ?, 'a', 1)",
  ]) {
    await expect(query(`INSERT INTO ${insert}`, caller.id)).rejects.toThrow('FOREIGN KEY');
  }
  await query("UPDATE users SET bio = 'late' WHERE id = ?", caller.id);
  await expect(
    app.services.users.becomeCaller({ userId: person.id, subscriptionPrice: '' }),
  ).rejects.toMatchObject({ code: 'users.not_found' });
  expect(await readDatabase()).toEqual(before);
  const report = { kind: 'caller', id: rival.id, reason: 'scam', text: 'Late.' } as const;
  expect(await app.services.reports.report(person.id, report)).toMatchObject({ isNew: false });
  expect(await query('SELECT 1 FROM reports')).toEqual([]);
});

it('the database refuses to delete an account while a row with its personal data exists', async () => {
  const person = await app.signIn('leaving');
  const end = "UPDATE users SET deleted_at = 1 WHERE twitter_handle = 'leaving'";
  await expect(query(end)).rejects.toThrow('FOREIGN KEY');
  const tables = await query(
    "SELECT name FROM sqlite_master WHERE sql LIKE '%REFERENCES `users`(`live_id`)%' ORDER BY name",
  );
  const deleted = allTables().filter((table) => {
    const { table: facts, columns } = factsOf(table);
    const isKept = Object.values(columns).some(({ treatment }) => treatment === 'keep');
    return facts.of !== undefined && !facts.erasedByHand && !isKept && !ownerOf(table).parent;
  });
  expect(deleted.length).toBeGreaterThan(13);
  const names = deleted.map(getTableName);
  expect(tables.map(({ name }) => name)).toEqual(names.toSorted());
  await readResponse(remove(person));
});

/** One more slice than the request and a run of the cron erase together. */
const COUNT = ERASED_CALLS_PER_SLICE * (ERASED_SLICES_PER_RUN + 2);

it('deleting an account hides the texts of many calls immediately, and the cron erases them', async () => {
  const { app: operated, operator } = await createOperatedApp();
  const { caller } = await createPaidCaller(app);
  const texts = { thesis: 'A canary thesis', message: 'A canary update' };
  const { call } = await makeCallWithTexts({ caller, ...texts });
  await endCall({ caller, call, price: 2 });
  await runScript(
    `INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, thesis,
       end_price, ended_at, change_percent)
     SELECT 'call-' || i, '${caller.id}', 'mint-' || i, 'S' || i, 'Name', '1', i, 'canary', '2', i, 100 FROM n;`,
    { count: COUNT },
  );
  const left = async () =>
    (await query<{ n: number }>('SELECT COUNT(*) AS n FROM calls WHERE thesis IS NOT NULL'))[0]?.n;
  const shown = async () => {
    const pages = await Promise.all([
      app.request(`/api/token-calls/${call.id}`),
      app.request(`/api/token-calls/caller/${caller.id}`),
      app.request('/api/token-calls/ended'),
      operated.browser(operator).get(`/api/operators/call/${call.id}`),
    ]);
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    return (await Promise.all(pages.map((page) => page.text()))).join();
  };
  expect(await shown()).toMatch(/canary thesis.*canary update/);

  await readResponse(remove(caller));
  expect(await left()).toBe(COUNT + 1 - ERASED_CALLS_PER_SLICE);
  expect(await shown()).not.toContain('canary');
  await app.runJobs('accounts');
  expect(await left()).toBe(ERASED_CALLS_PER_SLICE + 1);
  expect(await shown()).not.toContain('canary');
  await expect(app.signIn(caller.handle)).rejects.toThrow();
  await app.runJobs('accounts');
  expect(await left()).toBe(0);
  expect(await query('SELECT erased_at IS NOT NULL AS done FROM users WHERE deleted_at IS NOT NULL')).toEqual(
    [{ done: 1 }],
  );
});

it('deleting an account erases its texts and their salts from the log, but changes no entry’s content', async () => {
  const { caller } = await createPaidCaller(app, { handle: 'logged_caller' });
  await control('POST', '/x/rename', { handle: caller.handle, newHandle: 'logged_anew' });
  const renamed = await app.signIn('logged_anew');
  const { call } = await makeCallWithTexts({ caller });
  await endCall({ caller, call, price: 2 });
  const contents = () => query('SELECT id, kind, content, salt FROM log_entries ORDER BY id');
  const texts = () =>
    query('SELECT kind FROM log_entries WHERE text IS NOT NULL OR text_salt IS NOT NULL ORDER BY id');
  const before = await contents();
  expect((await texts()).map(({ kind }) => kind)).toEqual(['named', 'named', 'opened', 'updated']);
  await readResponse(remove(renamed));
  expect(await texts()).toEqual([]);
  const after = await contents();
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.slice(before.length).map(({ kind }) => kind)).toEqual(['deleted']);
});

it('the texts of a deleted account are erased from the log in slices', async () => {
  const { caller } = await createPaidCaller(app);
  await runScript(
    `INSERT INTO log_entries (caller_id, number, kind, subject_id, content, text, text_salt, at)
     SELECT '${caller.id}', i + 1, 'named', '${caller.id}', '{"v":1}', 'canary', 'salt', i FROM n;`,
    // With the entry of the caller's name, this is one more than a slice.
    { count: ERASED_CALLS_PER_SLICE },
  );
  const left = async () => (await query('SELECT id FROM log_entries WHERE text IS NOT NULL')).length;
  await readResponse(remove(caller));
  expect(await left()).toBe(1);
  await app.services.accountDeletion.eraseRest();
  expect(await left()).toBe(0);
  expect(await query('SELECT id FROM users WHERE erased_at IS NOT NULL')).toHaveLength(1);
});

it('the database refuses to erase a call’s thesis before the account is deleted, or to rewrite it afterwards', async () => {
  const { caller } = await createPaidCaller(app);
  const call = await makeCall({ caller, mint: MINTS.BONK, price: 1, thesis: 'Why not' });
  await endCall({ caller, call, price: 2 });
  await expect(query('UPDATE calls SET thesis = NULL')).rejects.toThrow('never changed');
  await readResponse(remove(caller));
  await expect(query("UPDATE calls SET thesis = 'other'")).rejects.toThrow('never changed');
  await expect(query("UPDATE calls SET entry_price = '9'")).rejects.toThrow('never changed');
});

import { getTableName } from 'drizzle-orm';
import { beforeEach, expect, it, vi } from 'vitest';
import { BACKUP_AFTER_MS, BACKUPS_KEPT_MS } from '#schema/constants/running.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { allTables, factsOf } from '#schema/tables/table.ts';
import { toDay } from '#schema/rules/text/utc-day.ts';
import { createPaidCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { pay } from '#test/payments/payments.ts';
import { readResponse } from '#test/responses.ts';
import { loseDatabase } from '#test/database/storage.ts';
import { createTestApp, testEnv, type TestApp } from '#test/test-app.ts';
import { insertActiveCalls } from '#test/people/active-calls.ts';
import { backedUpTables } from './backup-tables.ts';
import { deleteAgain, requestAgain } from '#dev/backup/delete-again.ts';
import { sha256 } from '../../../shared/sha256.ts';
import { createDeletionList, packRows, partKey, type Row } from './backup-files.ts';
import { ROWS_PER_PAGE } from './backup.service.ts';
import { readManifest, restore } from '#dev/backup/restore.ts';

let app: TestApp;
const bucket = testEnv.BACKUPS;
const listKeys = async () => (await bucket.list()).objects.map(({ key }) => key);
const runExport = () => app.services.backupExport.exportOncePerDay();
const restoreFrom = async (from: string) =>
  restore({ db: testEnv.DB, bucket, manifest: await readManifest(bucket, from), now: app.clock.now() });

/** Moves the clock to the time of day when the next export is due. */
const waitForNight = async () => {
  await waitForMidnight();
  await app.advance(BACKUP_AFTER_MS);
};
const waitForMidnight = () => app.advance(DAY_MS - (app.clock.now() % DAY_MS));

beforeEach(async () => {
  const keys = await listKeys();
  if (keys.length > 0) await bucket.delete(keys);
  app = await createTestApp();
});

/** The product with a bucket that refuses every file. */
const createAppWithoutBucket = () =>
  createTestApp({
    bindings: { BACKUPS: { put: () => Promise.reject(new Error('R2 is down')) } as unknown as R2Bucket },
  });

const leftOutTables = () =>
  allTables()
    .filter((table) => factsOf(table).table.notBackedUp !== undefined)
    .map(getTableName);

it('a backup has every table except those that the schema excludes with a reason', async () => {
  const names = Object.keys(await readDatabase()).filter((name) => name !== 'd1_migrations');
  expect([...backedUpTables(), ...leftOutTables()].toSorted()).toEqual(names.toSorted());
});

it('a backup writes each table before the tables that it refers to', async () => {
  const tables = await query<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_master WHERE type = 'table'",
  );
  const references = tables.flatMap(({ name, sql }) =>
    [...sql.matchAll(/REFERENCES `(\w+)`/g)].map(([, parent = '']) => ({ child: name, parent })),
  );
  const order = backedUpTables();
  const place = (name: string) => order.indexOf(name);
  const listed = references.filter(({ child }) => place(child) >= 0);
  expect(listed.length).toBeGreaterThan(20);
  expect(listed.filter(({ child, parent }) => place(parent) <= place(child))).toEqual([]);
});

it('the nightly export runs once per night', async () => {
  await waitForMidnight();
  expect(await runExport()).toBeNull();
  await app.advance(BACKUP_AFTER_MS);
  expect(await runExport()).toMatchObject({ isFinished: true });
  await app.advance(MINUTE_MS);
  expect(await runExport()).toBeNull();
  await app.advance(DAY_MS);
  expect(await runExport()).toMatchObject({ isFinished: true });
});

it('a restore of the nightly export gives the same rows, search index and triggers', async () => {
  const { caller } = await createPaidCaller(app);
  const follower = await app.signIn('follower');
  await pay({ person: follower, callerId: caller.id });
  await makeCall({ caller, mint: MINTS.BONK, price: 2 });
  await app.advance(MINUTE_MS);
  await app.runCron();
  await waitForNight();
  await runExport();
  const before = await readDatabase();
  const schema = await query('SELECT name, sql FROM sqlite_master ORDER BY name');

  await loseDatabase();
  expect(await restoreFrom('latest')).toMatchObject({
    leftOut: 0,
    newerPayments: 0,
    readAgain: 0,
  });

  const after = await readDatabase();
  const ignored = new Set([...leftOutTables(), 'ledger_checks', 'payment_intents', 'd1_migrations']);
  const saved = (rows: typeof before) =>
    Object.fromEntries(Object.entries(rows).filter(([name]) => !ignored.has(name)));
  expect(saved(after)).toEqual(saved(before));
  expect(after['active_mints']).toEqual(before['active_mints']);
  expect(await query('SELECT name, sql FROM sqlite_master ORDER BY name')).toEqual(schema);
  const found = await app.request('/api/callers?search=paid_cal');
  expect(await found.json()).toMatchObject([{ id: caller.id }]);
});

it('the nightly export splits a large table into parts that can be restored', async () => {
  await insertActiveCalls({ count: ROWS_PER_PAGE + 5, callers: 3, calledAt: app.clock.now() });
  const calls = await query('SELECT * FROM calls ORDER BY id');
  await waitForNight();
  await runExport();
  const manifest = await readManifest(bucket, 'latest');
  expect(manifest.tables['calls']).toMatchObject({ rows: ROWS_PER_PAGE + 5, parts: 2 });
  await loseDatabase();
  await restoreFrom('latest');
  expect(await query('SELECT * FROM calls ORDER BY id')).toEqual(calls);
});

it('the nightly export deletes exports and copies of payments after 30 days', async () => {
  await waitForNight();
  await bucket.put(`payments/${toDay(app.clock.now())}/reference/intent.json`, '{}');
  await runExport();
  const before = await listKeys();
  expect(before.some((key) => key.startsWith('payments/'))).toBe(true);
  await app.advance(BACKUPS_KEPT_MS + DAY_MS);
  await runExport();
  const after = await listKeys();
  expect(after.length).toBeGreaterThan(0);
  expect(after.filter((key) => before.includes(key))).toEqual([]);
});

it('a nightly export that fails for over a day raises one alarm, and finishes after the failure ends', async () => {
  const failing = await createAppWithoutBucket();
  await app.signIn('somebody');
  await waitForNight();
  await failing.advance(0);
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  for (const wait of [0, DAY_MS + MINUTE_MS, MINUTE_MS]) {
    await failing.advance(wait);
    await expect(failing.services.backupExport.exportOncePerDay()).rejects.toThrow('R2 is down');
  }
  expect(error.mock.calls.filter(([line]) => String(line).includes('backup.late'))).toHaveLength(1);
  error.mockRestore();
  await app.advance(0);
  expect(await runExport()).toMatchObject({ isFinished: true });
});

it('a payment works while R2 refuses its copy, and operators hear of it once', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const failing = await createAppWithoutBucket();
  const { caller } = await createPaidCaller(failing);
  for (const handle of ['first', 'second']) {
    await pay({ person: await failing.signIn(handle), callerId: caller.id });
  }
  const alarms = await vi.waitUntil(async () => {
    const kept = await failing.services.cronWatch.listAlarms();
    return kept.length > 0 && kept;
  });
  expect(alarms.filter(({ kind }) => kind === 'backup.refused')).toHaveLength(1);
  expect(await query('SELECT signature FROM payments')).toHaveLength(2);
});

it('a backup names the migration that was applied during the export', async () => {
  const newer = '9999_planted_00000000.sql';
  const put = async (key: string, rows: Uint8Array) => {
    if (key.includes('/users/')) await query('INSERT INTO d1_migrations (name) VALUES (?)', newer);
    return bucket.put(key, rows);
  };
  const list: R2Bucket['list'] = (options) => bucket.list(options);
  const exporting = await createTestApp({ bindings: { BACKUPS: { put, list } as unknown as R2Bucket } });
  await exporting.signIn('somebody');
  await exporting.advance(DAY_MS - (exporting.clock.now() % DAY_MS) + BACKUP_AFTER_MS);
  await exporting.services.backupExport.exportOncePerDay();
  await query('DELETE FROM d1_migrations WHERE name = ?', newer);
  expect(await readManifest(bucket, 'latest')).toMatchObject({ migration: newer });
});

it('after a restore, accounts that were deleted since the backup can be deleted again', async () => {
  const person = await app.signIn('leaving');
  const { caller } = await createPaidCaller(app, { handle: 'staying' });
  await waitForNight();
  await runExport();
  await createDeletionList({ bucket }).add(person.id, app.clock.now());
  await createDeletionList({ bucket }).add('signed-up-later', app.clock.now());
  await loseDatabase();
  const { deletedAccounts: userIds } = await restoreFrom('latest');
  const again = { db: testEnv.DB, userIds, now: app.clock.now() };
  expect(await deleteAgain(again)).toBe(1);
  expect(JSON.stringify(await readDatabase())).not.toContain('leaving');
  expect(await query('SELECT id, deleted_at IS NOT NULL AS isDeleted FROM users ORDER BY isDeleted')).toEqual(
    [
      { id: caller.id, isDeleted: 0 },
      { id: person.id, isDeleted: 1 },
    ],
  );
  const stored = await readDatabase();
  await deleteAgain(again);
  expect(await readDatabase()).toEqual(stored);
});

it('after a restore, deletion requests that were made since the backup and not withdrawn can be repeated', async () => {
  const callers = [];
  for (const handle of ['leaving', 'staying']) {
    const { caller } = await createPaidCaller(app, { handle });
    await pay({ person: await app.signIn(`of_${handle}`), callerId: caller.id });
    callers.push(caller);
  }
  const [leaving, staying] = callers;
  await waitForNight();
  await query("UPDATE users SET email = 'erased@example.com'");
  await runExport();
  for (const caller of callers) {
    const again = await app.signIn(caller.handle);
    await readResponse(again.post('/api/user/deletion', { handle: caller.handle }));
    if (caller === staying) await readResponse(again.delete('/api/user/deletion'));
  }
  await loseDatabase();
  const { deletionRequests: userIds } = await restoreFrom('latest');
  expect(userIds).toEqual([leaving?.id]);
  expect(await requestAgain({ db: testEnv.DB, userIds, now: app.clock.now() })).toBe(1);
  const left = await query(
    'SELECT u.id, u.email, c.deletes_at IS NOT NULL AS leaves FROM users u JOIN callers c ON c.caller_id = u.id',
  );
  expect(left).toHaveLength(2);
  expect(left).toContainEqual({ id: leaving?.id, email: null, leaves: 1 });
  expect(left).toContainEqual({ id: staying?.id, email: 'erased@example.com', leaves: 0 });
});

it('a backup can be restored even if an account and a chat were deleted while it was written', async () => {
  const put = async (key: string, rows: Uint8Array) => {
    const stored = await bucket.put(key, rows);
    if (key.includes('/chat_members/')) await query('DELETE FROM telegram_chats');
    if (key.includes('/devices/')) await exporting.services.accountDeletion.start({ userId: person.id });
    return stored;
  };
  const list: R2Bucket['list'] = (options) => bucket.list(options);
  const exporting = await createTestApp({ bindings: { BACKUPS: { put, list } as unknown as R2Bucket } });
  const person = await exporting.signIn('leaving');
  const { caller } = await createPaidCaller(exporting, { handle: 'staying' });
  await query(
    `INSERT INTO reports (id, reporter_id, kind, subject_id, caller_id, reason, text, at)
     VALUES ('report', ?1, 'caller', ?2, ?2, 'other', 'a report by leaving', 1)`,
    person.id,
    caller.id,
  );
  await query(
    `INSERT INTO telegram_chats (chat_id, caller_id, kind, title, checked_at) VALUES ('-1', ?, 'group', 'A group', 1)`,
    caller.id,
  );
  await query(
    `INSERT INTO chat_members (chat_id, person_id, name, status, since) VALUES ('-1', '7', 'A member', 'in', 1)`,
  );
  await exporting.advance(DAY_MS - (exporting.clock.now() % DAY_MS) + BACKUP_AFTER_MS);
  await exporting.services.backupExport.exportOncePerDay();
  const { tables } = await readManifest(bucket, 'latest');
  expect(Object.keys(tables)).toEqual(
    expect.arrayContaining(['chat_members', 'devices', 'reports', 'users']),
  );

  await loseDatabase();
  const { deletedAccounts: userIds, leftOut } = await restoreFrom('latest');
  expect([userIds, leftOut]).toEqual([[person.id], 2]);
  await deleteAgain({ db: testEnv.DB, userIds, now: exporting.clock.now() });
  expect(JSON.stringify(await readDatabase())).not.toContain('leaving');
  expect(await query('SELECT user_id FROM devices')).toEqual([{ user_id: caller.id }]);
  expect(await query('SELECT text FROM reports')).toEqual([{ text: null }]);
  for (const table of ['telegram_chats', 'chat_members']) {
    expect(await query(`SELECT * FROM ${table}`)).toEqual([]);
  }
});

it('a restore skips calls that conflict with earlier rows, but refuses conflicting payments', async () => {
  const { caller } = await createPaidCaller(app);
  await makeCall({ caller, mint: MINTS.BONK, price: 2 });
  await pay({ person: await app.signIn('follower'), callerId: caller.id });
  await waitForNight();
  await runExport();
  const manifest = await readManifest(bucket, 'latest');
  const before = await readDatabase();
  const tables = { ...manifest.tables };
  /** Adds copies of the table's rows, with other values. */
  const exportAlso = async (table: string, values: Row) => {
    const rows = [...(before[table] ?? []), ...(before[table] ?? []).map((row) => ({ ...row, ...values }))];
    const packed = await packRows(rows);
    await bucket.put(partKey(manifest.day, table, 1), packed);
    tables[table] = { rows: rows.length, parts: 1, hash: sha256('', packed) };
  };
  await exportAlso('calls', { id: 'later' });
  await exportAlso('price_quotes', { call_id: 'later' });
  await loseDatabase();
  const options = { db: testEnv.DB, bucket, manifest: { ...manifest, tables }, now: app.clock.now() };
  const report = await restore(options);
  expect(report.leftOut).toBe(1 + (before['price_quotes'] ?? []).length);
  const after = await readDatabase();
  expect([after['calls'], after['price_quotes']]).toEqual([before['calls'], before['price_quotes']]);

  await loseDatabase();
  await exportAlso('payments', { id: 'later' });
  await expect(restore(options)).rejects.toThrow("The rows of payments don't agree.");
});

it('a restore leaves out a later payment whose people’s copy was lost, and restores the others', async () => {
  const { caller } = await createPaidCaller(app);
  await waitForNight();
  await runExport();
  const people = await Promise.all(['first', 'second'].map((name) => app.signIn(name)));
  for (const person of people) await pay({ person, callerId: caller.id });
  const isCopy = (key: string) => key.endsWith('/intent.json');
  const copies = await vi.waitUntil(async () => {
    const keys = (await listKeys()).filter(isCopy);
    return keys.length === people.length && keys;
  }, 20_000);
  const [lost = ''] = copies;
  const { payment_intents: intents } = JSON.parse((await (await bucket.get(lost))?.text()) ?? '') as {
    payment_intents: Row[];
  };
  await bucket.delete(lost);
  await loseDatabase();
  expect(await restoreFrom('latest')).toMatchObject({ newerPayments: 1 });
  const restored = await query<{ userId: string }>('SELECT user_id AS userId FROM payment_intents');
  const others = people.map(({ id }) => id).filter((id) => id !== intents[0]?.['user_id']);
  expect(restored.map(({ userId }) => userId)).toEqual(others);
});

it('a restore refuses a changed file, a day without an export and a database with rows', async () => {
  await createPaidCaller(app);
  await waitForNight();
  await runExport();
  await expect(restoreFrom('2026-01-01')).rejects.toThrow('no complete export');
  await expect(restoreFrom('latest')).rejects.toThrow('must have no rows');
  await loseDatabase();
  const { day } = await readManifest(bucket, 'latest');
  await bucket.put(partKey(day, 'users', 1), (await bucket.get(partKey(day, 'callers', 1)))?.body ?? '');
  await expect(restoreFrom('latest')).rejects.toThrow();
});

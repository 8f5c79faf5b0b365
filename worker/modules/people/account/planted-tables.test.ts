import { text } from 'drizzle-orm/sqlite-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BACKUP_AFTER_MS } from '#schema/constants/running.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import type { ExportedData } from '#schema/contracts/account.ts';
import { timestamp } from '#schema/tables/columns.ts';
import { erase, keep, registry, table, withhold } from '#schema/tables/table.ts';
import { accountReference, userReference } from '#schema/tables/users.ts';
import { readManifest, restore } from '#dev/backup/restore.ts';
import { query } from '#test/database/database.ts';
import { loseDatabase } from '#test/database/storage.ts';
import { readResponse } from '#test/responses.ts';
import { backedUpTables } from '../../running/backup/backup-tables.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';

/** Tables as a future change may add them, each with a single new file in `schema/tables/`. */
function plantTables() {
  const diaries = table(
    'planted_diaries',
    {
      id: erase(text('id').primaryKey()),
      userId: erase(accountReference('user_id')),
      pin: withhold(text('pin').notNull()),
    },
    { of: 'userId' },
  );
  const diaryId = text('diary_id')
    .notNull()
    .references(() => diaries.id);
  const pages = table(
    'planted_pages',
    { diaryId: erase(diaryId), page: erase(text('page').notNull()) },
    { of: 'diaryId' },
  );
  const moods = table(
    'planted_moods',
    {
      userId: keep(userReference('user_id')),
      at: keep(timestamp('at').notNull()),
      mood: erase(text('mood').notNull()),
      reason: erase(text('reason')),
    },
    { of: 'userId' },
  );
  return [moods, pages, diaries];
}

const CREATE = [
  'CREATE TABLE planted_diaries (id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (live_id), pin TEXT NOT NULL)',
  'CREATE TABLE planted_pages (diary_id TEXT NOT NULL REFERENCES planted_diaries (id), page TEXT NOT NULL)',
  'CREATE TABLE planted_moods (user_id TEXT NOT NULL REFERENCES users (id), at INTEGER NOT NULL, mood TEXT NOT NULL, reason TEXT)',
];
const NAMES = ['planted_moods', 'planted_pages', 'planted_diaries'];

async function createTables(): Promise<void> {
  for (const statement of CREATE) await query(statement);
}

async function dropTables(): Promise<void> {
  for (const name of NAMES) await query(`DROP TABLE ${name}`);
}

let planted: ReturnType<typeof plantTables>;
let app: TestApp;
let leaving: Person;
let other: Person;

beforeEach(async () => {
  app = await createTestApp();
  leaving = await app.signIn('leaving');
  other = await app.signIn('other');
  await createTables();
  for (const { id } of [leaving, other]) {
    await query("INSERT INTO planted_diaries VALUES (?1 || '-d', ?1, 'PIN')", id);
    await query("INSERT INTO planted_pages VALUES (?1 || '-d', 'CANARY page')", id);
    await query("INSERT INTO planted_moods VALUES (?1, 7, 'CANARY mood', 'CANARY reason')", id);
  }
  planted = plantTables();
});

afterEach(async () => {
  for (const each of planted) registry.delete(each);
  await dropTables();
});

const rowsOf = (name: string) => query(`SELECT * FROM ${name} ORDER BY 1`);

it('deleting an account erases the user’s rows of a table that was added later, and no other rows', async () => {
  await readResponse(leaving.post('/api/user/deletion', { handle: leaving.handle }));
  expect(await rowsOf('planted_diaries')).toEqual([{ id: `${other.id}-d`, user_id: other.id, pin: 'PIN' }]);
  expect(await rowsOf('planted_pages')).toEqual([{ diary_id: `${other.id}-d`, page: 'CANARY page' }]);
  expect(await query('SELECT * FROM planted_moods WHERE user_id = ?', leaving.id)).toEqual([
    { user_id: leaving.id, at: 7, mood: '', reason: null },
  ]);
  expect(await query('SELECT mood FROM planted_moods WHERE user_id = ?', other.id)).toEqual([
    { mood: 'CANARY mood' },
  ]);
});

it('the export has the person’s rows of a table that was added later, without the withheld column', async () => {
  const { sections } = await readResponse<ExportedData>(leaving.get('/api/user/export'));
  expect(sections).toMatchObject({
    planted_diaries: [{ id: `${leaving.id}-d`, user_id: leaving.id }],
    planted_pages: [{ diary_id: `${leaving.id}-d`, page: 'CANARY page' }],
    planted_moods: [{ user_id: leaving.id, at: 7, mood: 'CANARY mood', reason: 'CANARY reason' }],
  });
  expect(JSON.stringify(sections)).not.toContain('PIN');
});

it('tables that were added later are backed up before the tables that they reference, and are restored', async () => {
  const order = backedUpTables().filter((name) => ['users', ...NAMES].includes(name));
  expect(order.slice(0, 1)).toEqual(['planted_pages']);
  expect(order.indexOf('users')).toBeGreaterThan(order.indexOf('planted_diaries'));
  const before = await Promise.all(NAMES.map(rowsOf));
  await app.advance(DAY_MS - (app.clock.now() % DAY_MS) + BACKUP_AFTER_MS);
  await app.services.backupExport.exportOncePerDay();
  await dropTables();
  await loseDatabase();
  await createTables();
  const manifest = await readManifest(testEnv.BACKUPS, 'latest');
  await restore({ db: testEnv.DB, bucket: testEnv.BACKUPS, manifest, now: app.clock.now() });
  expect(await Promise.all(NAMES.map(rowsOf))).toEqual(before);
});

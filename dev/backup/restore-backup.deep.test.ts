import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DELETIONS, manifestKey, packRows, partKey } from '#worker/modules/running/backup/backup-files.ts';
import { sha256 } from '#worker/shared/sha256.ts';
import { readMigrations } from '../build/migrations.ts';
import { withBackups, withLocalDatabase } from '../local/local-database.ts';
import { restoreBackup } from './restore-backup.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'solcallers-restore-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const day = '2026-11-21';
const migration = readMigrations().at(-1)?.name;
const user = {
  id: 'user-1',
  x_user_id: '1',
  twitter_handle: 'amara_calls',
  first_name: "Amara's; '--",
  last_name: 'Line\nbreak',
  email: null,
  is_verified: 1,
  created_at: 1_780_000_000_000,
  updated_at: 1_780_000_000_000,
};
/** A user who deleted their account after the export. */
const leaver = { ...user, id: 'user-2', x_user_id: '2', twitter_handle: 'leaver', first_name: 'Lea' };
const deleted = { id: 'user-2', first_name: 'Deleted account', twitter_handle: 'deleted-user-2' };
const caller = {
  caller_id: 'user-1',
  search_text: 'amara_calls',
  total_calls: 0,
  created_at: 1_780_000_000_000,
  updated_at: 1_780_000_000_000,
};

/** The restore must drop the wallets of deleted accounts. */
const wallet = { id: 'wallet-1', user_id: 'user-1', address: 'an-address', proven_at: 1, created_at: 1 };

type Files = Record<string, string | Uint8Array>;

async function createFiles(): Promise<Files> {
  const files: Files = {};
  const tables: Record<string, object> = {};
  for (const [table, rows] of Object.entries({
    users: [user, leaver],
    callers: [caller],
    wallets: [wallet, { ...wallet, id: 'wallet-2', user_id: 'user-2' }],
  })) {
    const packed = await packRows(rows);
    files[partKey(day, table, 1)] = packed;
    tables[table] = { rows: rows.length, parts: 1, hash: sha256('', packed) };
  }
  const manifest = { day, startedAt: 1_780_000_000_000, finishedAt: 1_780_000_000_000, migration, tables };
  return { ...files, [manifestKey(day)]: JSON.stringify(manifest), [`${DELETIONS}${day}/${leaver.id}`]: '' };
}

it('a restored database and its SQL file lack the personal data of an account deleted after the backup', async () => {
  const files = await createFiles();
  const [source, into, sqlFile] = [join(dir, 'source'), join(dir, 'into'), join(dir, 'restored.sql')];
  await withBackups(source, null, async (bucket) => {
    const { put } = bucket as unknown as {
      put: (key: string, content: string | Uint8Array) => Promise<void>;
    };
    for (const [key, content] of Object.entries(files)) await put.call(bucket, key, content);
  });

  await restoreBackup({
    from: 'latest',
    into,
    source: { stateDir: source },
    sqlFile,
    log: () => undefined,
  });

  const restored = await withLocalDatabase(into, async (db) => {
    const { results } = await db.prepare('SELECT * FROM users').all();
    return results;
  });
  expect(restored).toMatchObject([user, deleted]);
  const fresh = new DatabaseSync(':memory:');
  fresh.exec('PRAGMA foreign_keys = on');
  fresh.exec(readFileSync(sqlFile, 'utf8'));
  expect(fresh.prepare('SELECT * FROM users').all()).toMatchObject([user, deleted]);
  expect(fresh.prepare('SELECT * FROM wallets').all()).toMatchObject([wallet]);
  expect(
    fresh.prepare("SELECT rowid FROM callers_search WHERE callers_search MATCH '616D61'").all(),
  ).toHaveLength(1);
  expect(fresh.prepare('SELECT id FROM periods').all()).toEqual([]);
  expect(
    fresh.prepare('SELECT COUNT(*) AS triggers FROM sqlite_master WHERE type = ?').get('trigger')?.[
      'triggers'
    ],
  ).toBeGreaterThan(40);
  expect(fresh.prepare('SELECT COUNT(*) AS migrations FROM d1_migrations').get()?.['migrations']).toBe(
    readMigrations().length,
  );
  fresh.close();
});

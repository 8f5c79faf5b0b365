// Upgrades a running product on live data, and rolls it back: npm run upgrade-drill [-- <older commit>]
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '#dev/settings.ts';
import { applyLikeD1 } from '../migrations/check-migrations.ts';
import { readMigrations } from '../migrations/read-migrations.ts';
import { browse, createVisitor, useEverything, type Answer } from './journey.ts';
import { checkOut, commitBeforeNewestMigration, startVersion } from './versions.ts';

const DATABASES = 'state/v3/d1/miniflare-D1DatabaseObject';
/** The cron's job of a minute that a version starts with. */
const CRON_MS = 5_000;

/** The acceptance of terms is a feature that an older version may not have. */
const isFine = ({ status, request }: Answer) =>
  status < 400 || (status === 404 && request === 'POST /api/user/acceptances');

function openDatabase(dataDir: string): DatabaseSync {
  const folder = join(dataDir, DATABASES);
  const [file] = readdirSync(folder).filter((name) => /^[\da-f]{64}\.sqlite$/.test(name));
  if (file === undefined) throw new Error(`${folder} has no database.`);
  return new DatabaseSync(join(folder, file), { timeout: 10_000 });
}

/** Applies the missing migrations and records them, as wrangler does. @returns their names */
function upgradeDatabase(dataDir: string): readonly string[] {
  const database = openDatabase(dataDir);
  const rows = database.prepare('SELECT name FROM d1_migrations').all();
  const applied = new Set(rows.map(({ name }) => name));
  const missing = readMigrations().filter(({ name }) => !applied.has(name));
  for (const migration of missing) {
    applyLikeD1(database, migration);
    database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').run(migration.name);
  }
  database.close();
  return missing.map(({ name }) => name);
}

function checkDatabase(dataDir: string): readonly string[] {
  const database = openDatabase(dataDir);
  const integrity = database.prepare('PRAGMA integrity_check').all();
  const broken = database.prepare('PRAGMA foreign_key_check').all();
  database.close();
  return [...integrity.map((row) => JSON.stringify(row)), ...broken.map((row) => JSON.stringify(row))].filter(
    (row) => row !== '{"integrity_check":"ok"}',
  );
}

const visitor = createVisitor();
const folder = mkdtempSync(join(tmpdir(), 'solcallers-drill-'));
const [dataDir, oldFolder] = [join(folder, 'data'), join(folder, 'old')];
const commit = process.argv[2] ?? commitBeforeNewestMigration();
const errors: string[] = [];
try {
  checkOut(commit, oldFolder);
  await phase('old version', oldFolder, async () => {
    await useEverything(visitor, 'before');
    const reading = browse(visitor);
    const migrations = upgradeDatabase(dataDir);
    console.log(`Applied while it runs: ${migrations.join(', ') || 'none'}`);
    await reading;
    await useEverything(visitor, 'between');
  });
  await phase('new version', root, () => useEverything(visitor, 'after'));
  await phase('old version, rolled back', oldFolder, () => useEverything(visitor, 'back'));
  const broken = checkDatabase(dataDir);
  const failed = visitor.answers.filter((answer) => !isFine(answer));
  const problems = [
    ...errors,
    ...broken,
    ...failed.map(({ request, status, text }) => `${status} ${request}: ${text}`),
  ];
  console.log(
    `${visitor.answers.length} requests, ${failed.length} failed. ${problems.length} problems in all.`,
  );
  for (const problem of problems) console.log(problem.slice(0, 500));
  if (problems.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs a version while the people use it, and for its first run of the cron. */
async function phase(name: string, sources: string, use: () => Promise<void>): Promise<void> {
  console.log(`Starting: ${name}`);
  const version = await startVersion(sources, dataDir);
  try {
    await use();
    await pause(CRON_MS);
  } catch (error) {
    // A request failed, and the next one needed its answer. The failed request is reported with the others.
    errors.push(`${name} stopped early: ${String(error)}`);
  } finally {
    await version.stop();
  }
  errors.push(...version.errors.map((line) => `${name}: ${line}`));
}

import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import { findDatabase } from '#dev/local/data-folder.ts';
import { copyProject } from '../test-support/copy-project.ts';
import { buildWorker, serveWorker, type LocalVersion } from '../test-support/local-version.ts';
import { createWrangler, runScript } from '../wrangler.ts';
import { splitLikeD1 } from './split-like-d1.ts';

const SOURCES = ['web', 'verify', 'bench', 'vite.config.ts', 'wrangler.toml', 'tsconfig.json'];
const copy = copyProject([...SOURCES, 'tsconfig.base.json']);
const folder = mkdtempSync(join(tmpdir(), 'solcallers-upgrade-'));
const stateDir = join(folder, 'state');
let version: LocalVersion | null = null;
afterAll(async () => {
  await version?.stop();
  copy.delete();
  rmSync(folder, { recursive: true, force: true });
});

const TABLES = ['payments', 'payment_ledger', 'log_entries', 'operator_audit'];
const SESSION = 'a session';

/** Runs a script in the copy of the project. */
async function runInCopy(source: string): Promise<void> {
  const script = join(copy.root, 'script.ts');
  writeFileSync(script, source);
  await runScript(script, [], process.env);
}

/** Creates a database with the migrations of the copy and rows. @returns the id of the user with the session */
async function fillDatabase(): Promise<string> {
  const options = JSON.stringify({ callers: 100, calls: 500, mints: 10, directory: stateDir });
  await runInCopy(
    `import { buildEnvironment } from './bench/environment/build-environment.ts';
     await buildEnvironment(${options});`,
  );
  const database = new DatabaseSync(findDatabase(stateDir));
  const userId = String(database.prepare('SELECT id FROM users').get()?.['id']);
  const hash = createHash('sha256').update(SESSION).digest('hex');
  database.exec(`
    INSERT INTO operator_audit (id, at, operator_x_id, action, subject_id, reason)
    VALUES ('1', 1, '1', 'verify', 'someone', 'a test'), ('2', 2, '1', 'unverify', 'someone', 'a test');
    INSERT INTO sessions (token_hash, user_id, created_at, expires_at, device_hash)
    VALUES ('${hash}', '${userId}', ${Date.now()}, ${Date.now() + 86_400_000}, '');`);
  database.close();
  return userId;
}

function readRows(state: string): Readonly<Record<string, readonly object[]>> {
  const database = new DatabaseSync(findDatabase(state), { readOnly: true });
  const rows = TABLES.map(
    (table) => [table, database.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all()] as const,
  );
  database.close();
  return Object.fromEntries(rows);
}

interface Load {
  /** Continues for this many requests. Returns all requests that failed. */
  finish(requests: number): Promise<readonly string[]>;
}

/** Sends reads and writes, four at a time. */
async function startLoad({ origin }: LocalVersion, userId: string): Promise<Load> {
  const callers = (await (await fetch(`${origin}/api/callers?limit=2`)).json()) as { id: string }[];
  const caller = callers.find(({ id }) => id !== userId)?.id;
  const mute = `/api/user/notifications/mutes/${caller}`;
  const requests = [
    ['GET', '/api/health'],
    ['PUT', mute],
    ['GET', '/api/callers?limit=20'],
    ['GET', `/api/callers/${caller}`],
    ['DELETE', mute],
    ['GET', '/api/subscriptions/my'],
  ] as const;
  const failed: string[] = [];
  let done = 0;
  let end = Infinity;
  const run = async () => {
    while (done < end) {
      const [method, path] = requests[done++ % requests.length] ?? requests[0];
      const headers = { Cookie: `session=${SESSION}`, Origin: origin };
      const status = await fetch(origin + path, { method, headers }).then(async (response) => {
        await response.arrayBuffer();
        return response.status;
      }, String);
      if (status !== 200) failed.push(`${method} ${path}: ${status}`);
    }
  };
  const runs = [run(), run(), run(), run()];
  return {
    async finish(more) {
      end = done + more;
      await Promise.all(runs);
      return failed;
    },
  };
}

const applyMigrations = (state: string) => {
  const options = ['--local', '--persist-to', state, '--config', join(copy.root, 'wrangler.toml')];
  return createWrangler()('d1', 'migrations', 'apply', 'DB', ...options);
};

it('an upgrade and its rollback under load fail no request and preserve payments, ledger, log and audit', async () => {
  copy.writeMigrations('--freeze');
  const [baseline = ''] = Object.keys(copy.readMigrations());
  const userId = await fillDatabase();
  const old = await buildWorker(copy, 'old');
  copy.edit('schema/tables/payments.ts', /\n +payerAddress: .*/, "$&\n    note: keep(text('note')),");
  copy.writeMigrations('--name', 'add_note');
  const next = await buildWorker(copy, 'next');
  const [name, sql] = Object.entries(copy.readMigrations()).at(-1) ?? ['', ''];
  const before = readRows(stateDir);
  expect(Object.values(before).map((rows) => rows.length > 0)).toEqual(TABLES.map(() => true));
  const after = { ...before, payments: before['payments']?.map((row) => ({ ...row, note: null })) };

  // First, wrangler and npm start each migrate an idle copy of the database.
  const [byWrangler, local] = [join(folder, 'by-wrangler'), join(folder, 'local')];
  cpSync(stateDir, byWrangler, { recursive: true });
  cpSync(stateDir, join(local, 'state'), { recursive: true });
  writeFileSync(join(local, 'complete'), baseline);
  expect(await applyMigrations(byWrangler)).toContain(name);
  await runInCopy(
    `import { prepareData } from './dev/local/prepare-data.ts';
     await prepareData({ dataDir: ${JSON.stringify(local)}, standInsPort: 1 }, { log: () => {} });`,
  );
  expect(readRows(byWrangler)).toEqual(after);
  expect(readRows(join(local, 'state'))).toEqual(after);

  for (const [index, build] of [old, next, old].entries()) {
    version = await serveWorker(build, stateDir);
    const load = await startLoad(version, userId);
    // Runs inside the worker, because the local database refuses writes of a second process now.
    const record = `INSERT INTO d1_migrations (name) VALUES ('${name}')`;
    if (index === 0) await version.runSql([...splitLikeD1(sql), record]);
    expect(await load.finish(100)).toEqual([]);
    await version.stop();
    version = null;
    expect(readRows(stateDir)).toEqual(after);
  }
  expect(await applyMigrations(stateDir)).toContain('No migrations to apply');
});

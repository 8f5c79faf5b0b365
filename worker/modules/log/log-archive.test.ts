import { expect, it, vi } from 'vitest';
import { LOG_ARCHIVE_AFTER_MS } from '#schema/constants/log.ts';
import { FOLLOWER_RECORD_DELAY_MS } from '#schema/constants/market.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { readManifest, restore } from '#dev/backup/restore.ts';
import { query } from '#test/database/database.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { measureBytes } from '#test/database/measure-bytes.ts';
import { loseDatabase } from '#test/database/storage.ts';
import { readCheckpoint, readLog } from '#test/log.ts';
import { createAnchorKey, fundAnchors } from '#test/payments/anchors.ts';
import { MEASURED_COSTS } from '#test/measured-costs.ts';
import { createCaller, endCall, makeCall, makeCallWithTexts, MINTS } from '#test/people/callers.ts';
import { readResponse } from '#test/responses.ts';
import type { TestEnv } from '#test/test-env.ts';
import { NO_LIMITS } from '#test/test-limits.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { expectVerified } from '#test/verify-log.ts';

/** Enough for one full bundle: a call has an opening, an update, an end and marks. */
const CALLS = 70;
const STOPPED = 'The machine has stopped.';
const YEAR_MS = 365 * DAY_MS;

interface World {
  readonly app: TestApp;
  readonly bindings: Partial<TestEnv>;
  readonly callers: readonly Person[];
  /** The addresses that show calls and the log. */
  readonly paths: readonly string[];
}

async function anchor({ services, advance }: TestApp): Promise<void> {
  await services.logSequencer.sequence();
  await services.logAnchors.anchor();
  await advance(MINUTE_MS);
  await services.logAnchors.anchor();
}

async function makeOldCall(app: TestApp, handle: string, index: number): Promise<string> {
  const { priceMarks, followerResults } = app.services;
  const caller = await app.signIn(handle);
  const texts = { thesis: `canary thesis ${index}`, message: `canary update ${index}` };
  const { call } = await makeCallWithTexts({ caller, ...texts });
  await app.advance(MINUTE_MS);
  await priceMarks.record();
  await endCall({ caller, call, price: 3 });
  await app.advance(MINUTE_MS);
  await priceMarks.record();
  await app.advance(FOLLOWER_RECORD_DELAY_MS);
  await followerResults.record();
  await anchor(app);
  return call.id;
}

const makeNewCall = async (app: TestApp, mint: string) =>
  makeCall({ caller: await app.signIn('canary_two'), mint, price: 1 });

/** The prices that stay of a call of three days, if no other call has its token. */
const DAILY_CLOSES = `
  INSERT INTO price_closes (mint, at, price)
  SELECT token_mint, called_at + value * ?, '0.001234567'
  FROM calls CROSS JOIN json_each('[1, 2, 3]')`;

/** Lets two callers make calls for a year, each with a thesis and an update. */
async function createYear(): Promise<World> {
  const bindings = { ...NO_LIMITS, LOG_ANCHOR_KEY: createAnchorKey() };
  const app = await createTestApp({ bindings });
  await fundAnchors(app, { key: bindings.LOG_ANCHOR_KEY });
  const callers = [await createCaller(app, 'canary_one'), await createCaller(app, 'canary_two')];
  const ids: string[] = [];
  for (let index = 0; index < CALLS; index++) {
    ids.push(await makeOldCall(app, callers[index % 2]?.handle ?? '', index));
    await app.advance(Math.floor(YEAR_MS / CALLS));
  }
  await makeNewCall(app, MINTS.JUP);
  await query(DAILY_CLOSES, DAY_MS);
  await app.runJobs('calls', 'callers', 'statistics');
  await anchor(app);
  const paths = [
    '/log/tile/entries/000',
    '/log/tile/entries/000.p/100',
    '/log/tile/0/000',
    ...callers.flatMap(({ id, handle }) => [
      `/log/texts/${id}`,
      `/log/texts/${id}?after=100`,
      `/api/callers/${handle}`,
      `/caller/${handle}`,
    ]),
    ...ids.filter((_, index) => index % 9 === 0).flatMap((id) => [`/call/${id}`, `/api/token-calls/${id}`]),
  ];
  return { app, bindings, callers, paths };
}

async function read(app: TestApp, path: string): Promise<string> {
  const response = await app.request(path);
  expect([path, response.status]).toEqual([path, 200]);
  return new TextDecoder('latin1').decode(await response.arrayBuffer());
}

const readAll = async ({ app, paths }: Pick<World, 'app' | 'paths'>) =>
  new Map(await Promise.all(paths.map(async (path) => [path, await read(app, path)] as const)));

const expectAllVerified = ({ app, callers }: World) =>
  expectVerified(app, [{ kind: 'caller', handle: callers[0]?.handle ?? '' }, { kind: 'all' }]);

const FREE_LEASE = "UPDATE job_leases SET holder = NULL, expires_at = 0 WHERE job = 'log.archive'";

const isStop = (error: unknown): boolean =>
  error instanceof Error && (error.message === STOPPED || isStop(error.cause));

/** Runs the archive again and again, and stops each run one operation later, before or after the operation is done. */
async function archiveWithFailures(world: World, onOperation: () => Promise<void>): Promise<void> {
  for (let stopAt = 0, isFinished = false; !isFinished; stopAt++) {
    let operations = 0;
    const around = async <Result>(run: () => Promise<Result>): Promise<Result> => {
      operations += 1;
      if (operations > stopAt && stopAt % 2 === 0) throw new Error(STOPPED);
      await onOperation();
      const result = await run();
      if (operations > stopAt) throw new Error(STOPPED);
      return result;
    };
    const DB = interceptDatabase(testEnv.DB, (_, run) => around(run));
    const BACKUPS = {
      get: (key: string) => around(() => testEnv.BACKUPS.get(key)),
      put: (key: string, value: Blob) => around(() => testEnv.BACKUPS.put(key, value)),
    } as unknown as R2Bucket;
    const { services } = await createTestApp({ bindings: { ...world.bindings, DB, BACKUPS } });
    if (stopAt > 300) throw new Error('The archive doesn’t finish.');
    isFinished = await services.logArchive.archive().then(
      () => operations <= stopAt,
      (error: unknown) => {
        if (isStop(error)) return false;
        throw error;
      },
    );
    await query(FREE_LEASE);
  }
}

/** No bundle is added while an export runs, or after another run has taken the lease. */
async function expectGuarded({ app, bindings }: World): Promise<void> {
  const listBundles = () => query('SELECT n FROM log_bundles');
  await query(
    `INSERT INTO job_leases (job, expires_at, cursor) VALUES ('backup.export', 0, '{"step":"tables"}')`,
  );
  await app.services.logArchive.archive();
  expect(await listBundles()).toEqual([]);
  await query("UPDATE job_leases SET cursor = NULL WHERE job = 'backup.export'");

  const BACKUPS = {
    get: (key: string) => testEnv.BACKUPS.get(key),
    put: async (key: string, value: Blob) => {
      await testEnv.BACKUPS.put(key, value);
      await query("UPDATE job_leases SET holder = 'another' WHERE job = 'log.archive'");
    },
  } as unknown as R2Bucket;
  const { services } = await createTestApp({ bindings: { ...bindings, BACKUPS } });
  await expect(services.logArchive.archive()).rejects.toThrow('the lease of log.archive');
  expect(await listBundles()).toEqual([]);
  await query(FREE_LEASE);
}

/** A request that has read the place of entries before they moved reads it again. */
async function expectReadAgain({ bindings }: World, before: ReadonlyMap<string, string>): Promise<void> {
  const path = '/log/tile/entries/000';
  let isBefore = true;
  const DB = interceptDatabase(testEnv.DB, async ({ sql }, run) => {
    const result = await run();
    if (!sql.includes('AS archived') || !isBefore) return result;
    isBefore = false;
    const { results } = result as unknown as { results: { archived: number }[] };
    for (const row of results) row.archived = 0;
    return result;
  });
  const app = await createTestApp({ bindings: { ...bindings, DB } });
  expect(await read(app, path)).toBe(before.get(path));
  expect(isBefore).toBe(false);
}

const isOld = `call_id IN (SELECT id FROM calls WHERE ended_at <= ?)
  AND number < (SELECT MAX(number) FROM log_entries n WHERE n.caller_id = e.caller_id AND n.id <= 256)`;
const countOld = async ({ clock }: TestApp) => {
  const rows = await query(
    `SELECT 1 FROM log_entries e WHERE id <= 256 AND ${isOld}`,
    clock.now() - LOG_ARCHIVE_AFTER_MS,
  );
  return rows.length;
};

/** The tables whose rows a call adds. */
const TABLES = [
  'calls',
  'call_events',
  'call_holdings',
  'call_updates',
  'log_entries',
  'log_salts',
  'log_tiles',
  'price_closes',
  'price_marks',
  'price_quotes',
];
const bytesOfCall = async () => {
  const bytes = await measureBytes();
  const calls = await query('SELECT 1 FROM calls');
  return TABLES.reduce((total, name) => total + (bytes[name] ?? 0), 0) / calls.length;
};
/** Within 50, half of the figures' last digit. */
const aboutEach = (figures: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(figures).map(([name, bytes]) => [name, expect.closeTo(bytes, -2) as number]),
  );

async function readArchive(): Promise<string> {
  const { objects } = await testEnv.BACKUPS.list({ prefix: 'log/entries/' });
  expect(objects.length).toBeGreaterThan(0);
  return (await Promise.all(objects.map(async ({ key }) => (await testEnv.BACKUPS.get(key))?.arrayBuffer())))
    .map((bytes) => new TextDecoder().decode(bytes))
    .join();
}

it(
  'a year of calls moves to R2 while requests run, and pages, verification, restores and deletions work as before',
  { timeout: 10 * MINUTE_MS },
  async () => {
    vi.spyOn(console, 'log').mockReturnValue();
    const world = await createYear();
    const { app, callers } = world;
    const before = await readAll(world);
    const bytesBefore = await bytesOfCall();
    await expectAllVerified(world);
    const salts = await query<{ salt: string }>(
      'SELECT text_salt AS salt FROM log_entries WHERE text_salt IS NOT NULL',
    );
    expect(await countOld(app)).toBeGreaterThan(150);
    const deleteEntry = (id: string) => query(`DELETE FROM log_entries WHERE id = ${id}`);
    const refusal = 'never deleted before it is archived';
    await expect(deleteEntry('20')).rejects.toThrow(refusal);

    await expectGuarded(world);

    let requests = 0;
    const changed: string[] = [];
    await archiveWithFailures(world, async () => {
      const path = world.paths[requests++ % world.paths.length] ?? '';
      if ((await read(app, path).catch(String)) !== before.get(path)) changed.push(path);
    });
    expect(changed).toEqual([]);
    expect(requests).toBeGreaterThan(world.paths.length);
    expect(await countOld(app)).toBe(0);
    for (const id of ['1', '256', '(SELECT MAX(id) FROM log_entries)']) {
      await expect(deleteEntry(id)).rejects.toThrow(refusal);
    }
    expect(await readAll(world)).toEqual(before);
    await expectReadAgain(world, before);
    await expectAllVerified(world);
    const bytesInYear = await bytesOfCall();
    await app.advance(YEAR_MS);
    await makeNewCall(app, MINTS.WIF);
    await anchor(app);
    await app.services.logArchive.archive();
    expect({ inRows: bytesBefore, inYear: bytesInYear, afterYear: await bytesOfCall() }).toEqual(
      aboutEach(MEASURED_COSTS.bytesPerCall),
    );

    const published = await readCheckpoint(app);
    await app.advance(DAY_MS - (app.clock.now() % DAY_MS) + 4 * HOUR_MS);
    await app.services.backupExport.exportOncePerDay();
    await loseDatabase();
    const manifest = await readManifest(testEnv.BACKUPS, 'latest');
    await restore({ db: testEnv.DB, bucket: testEnv.BACKUPS, manifest, now: app.clock.now() });
    await app.services.logSequencer.sequence();
    expect(await readCheckpoint(app)).toEqual(published);
    await readLog(app);
    await app.runJobs('calls', 'callers', 'statistics');
    await anchor(app);
    await expectAllVerified(world);

    const [leaving] = callers;
    const again = await app.signIn(leaving?.handle ?? '');
    await readResponse(again.post('/api/user/deletion', { handle: again.handle }));
    await app.services.accountDeletion.eraseRest();
    expect(await query('SELECT 1 FROM log_salts WHERE caller_id = ?', again.id)).toEqual([]);
    expect(await query('SELECT 1 FROM log_salts')).not.toEqual([]);
    const archive = await readArchive();
    expect(archive).toContain(again.id);
    const personal = ['canary', ...salts.map(({ salt }) => salt)];
    expect(personal.filter((text) => archive.includes(text))).toEqual([]);
  },
);

import { sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { JOB_LEASE_MS, createJobLeases, LEASE_RENEWAL_MS, LeaseLostError, type Lease } from './job-leases.ts';
import { query } from '#test/database/database.ts';
import { testEnv } from '#test/test-app.ts';
import { createDatabase } from './database.ts';

const JOB = 'test.job';
let now: number;

/** Each run gets new leases, as in another isolate. */
const createLeases = () =>
  createJobLeases({
    db: createDatabase(testEnv.DB),
    clock: { now: () => now, sleep: () => Promise.reject(new Error('Unexpected sleep')) },
  });
const run = <Result>(work: (lease: Lease) => Promise<Result>, job = JOB) => createLeases().run({ job, work });
const write = (shard: number) =>
  sql`INSERT INTO price_shards (shard, refreshed_at) VALUES (${shard}, 1) RETURNING shard`;
const written = async () =>
  (await query<{ shard: number }>('SELECT shard FROM price_shards ORDER BY shard')).map(({ shard }) => shard);

/** Starts a run that holds the lease until `end` is called. */
async function beginRun() {
  const begun = Promise.withResolvers<Lease>();
  const end = Promise.withResolvers<void>();
  const done = run(async (lease) => {
    begun.resolve(lease);
    await end.promise;
  });
  return {
    lease: await begun.promise,
    end: async () => {
      end.resolve();
      await done;
    },
  };
}

beforeEach(() => {
  now = 1_800_000_000_000;
});

it('only one run of a job holds its lease at a time, and other jobs can run', async () => {
  const first = await beginRun();
  expect(await run(() => Promise.resolve('second'))).toBeNull();
  expect(await run(() => Promise.resolve('other'), 'other.job')).toBe('other');
  await first.end();
  expect(await run(() => Promise.resolve('third'))).toBe('third');
});

it('a lease is released after a run fails', async () => {
  await expect(run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await run(() => Promise.resolve('next'))).toBe('next');
});

it('a lease can be taken over after it has expired', async () => {
  await beginRun();
  now += JOB_LEASE_MS - 1;
  expect(await run(() => Promise.resolve('early'))).toBeNull();
  now += 1;
  expect(await run(() => Promise.resolve('next'))).toBe('next');
});

it('a lease does not expire while its holder renews it', async () => {
  const { lease } = await beginRun();
  for (let renewal = 0; renewal < 10; renewal++) {
    now += LEASE_RENEWAL_MS;
    await lease.save();
    expect(await run(() => Promise.resolve('second'))).toBeNull();
  }
  now += JOB_LEASE_MS - 1;
  await lease.commit({ cursor: 'on' });
  now += JOB_LEASE_MS - 1;
  expect(await run(() => Promise.resolve('second'))).toBeNull();
});

it('the next run gets the cursor of a dead run, and the rows that the dead run committed stay', async () => {
  const { lease } = await beginRun();
  expect(lease.cursor).toBeNull();
  expect(await lease.commit({ statements: [write(1), write(2)], cursor: 'half' })).toEqual([
    [{ shard: 1 }],
    [{ shard: 2 }],
  ]);
  now += JOB_LEASE_MS;
  expect(await run(({ cursor }) => Promise.resolve(cursor))).toBe('half');
  expect(await written()).toEqual([1, 2]);
});

it('a batch that fails changes neither the rows nor the cursor of a lease', async () => {
  await expect(
    run((lease) => lease.commit({ statements: [write(1), write(1)], cursor: 'half' })),
  ).rejects.toThrow('UNIQUE');
  expect(await run(({ cursor }) => Promise.resolve(cursor ?? 'start'))).toBe('start');
  expect(await written()).toEqual([]);
});

it('a run that has lost its lease can’t write, neither during the next run nor after it', async () => {
  const dead = await beginRun();
  now += JOB_LEASE_MS;
  const next = await beginRun();
  const expectRefused = async () => {
    await expect(dead.lease.commit({ statements: [write(1)], cursor: 'mine' })).rejects.toThrow(
      LeaseLostError,
    );
    await expect(dead.lease.save()).rejects.toThrow(LeaseLostError);
    expect(await written()).toEqual([]);
  };
  await expectRefused();
  await next.lease.commit({ cursor: 'theirs' });
  await dead.end();
  // The end of the old run did not release the lease of the new run.
  expect(await run(() => Promise.resolve('third'))).toBeNull();
  await next.end();
  await expectRefused();
  expect(await run(({ cursor }) => Promise.resolve(cursor))).toBe('theirs');
});

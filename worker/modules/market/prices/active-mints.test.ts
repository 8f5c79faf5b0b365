import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { PRICE_SHARDS } from '#schema/constants/prices.ts';
import { shardOf } from '#schema/rules/prices/price-shards.ts';
import { createDatabase } from '../../../shared/database.ts';
import { insertActiveCalls } from '#test/people/active-calls.ts';
import { countRows } from '#test/database/count-rows.ts';
import { query } from '#test/database/database.ts';
import { createTestApp, testEnv } from '#test/test-app.ts';
import { createActiveMintsRepository, createMintsWithSol } from './active-mints.repository.ts';
import { createPriceClosesRepository } from './price-closes.repository.ts';

const AT = 1_800_000_000_000;

/** Lists all mints in parts. Returns the parts and the rows that each part read. */
async function listParts(limit: number) {
  const read: number[] = [];
  const DB = countRows(testEnv.DB, ({ rows }) => read.push(rows));
  const repository = createActiveMintsRepository(createDatabase(DB));
  const parts: (readonly string[])[] = [];
  for (let fromShard: number | null = 0; fromShard !== null;) {
    const { mints, nextShard } = await repository.list({ fromShard, limit });
    parts.push(mints);
    fromShard = nextShard;
  }
  return { parts, read };
}

it('reading active mints shard by shard reads one row per mint, even if a mint has several active calls', async () => {
  const mints = await insertActiveCalls({ count: 1_000, calledAt: AT });
  await query(
    `INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at)
       SELECT k.id || '-' || c.caller_id, c.caller_id, k.token_mint, k.token_symbol || 'X', 'T', '1', k.called_at
       FROM calls k JOIN callers c ON c.caller_id <> k.caller_id
       WHERE k.id IN ('call-0', 'call-1', 'call-2')`,
  );
  const { parts, read } = await listParts(300);
  expect(parts.flat()).toHaveLength(1_000);
  expect(parts.flat().toSorted()).toEqual(mints.toSorted());
  expect(parts.flat().map(shardOf)).toEqual(
    parts
      .flat()
      .map(shardOf)
      .toSorted((a, b) => a - b),
  );
  for (const part of parts) expect(part.length).toBeLessThanOrEqual(300);
  for (const rows of read) expect(rows).toBeLessThanOrEqual(302);
});

it('a shard with more active mints than the limit of one part is still read as a whole', async () => {
  await insertActiveCalls({ count: 1_000, calledAt: AT });
  const { parts } = await listParts(10);
  expect(parts).toHaveLength(PRICE_SHARDS);
  expect(parts.flat()).toHaveLength(1_000);
});

it('an active mint is in the same shard of the database as its price in KV', async () => {
  const mint = fc.string({ unit: fc.constantFrom(...'123456789ABCXYZabcxyz'), maxLength: 44 });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(mint, { minLength: 1, maxLength: 100 }), async (mints) => {
      await query('DELETE FROM active_mints');
      await query('INSERT INTO active_mints (mint) SELECT value FROM json_each(?)', JSON.stringify(mints));
      const rows = await query<{ mint: string; shard: number }>('SELECT mint, shard FROM active_mints');
      expect(rows.map(({ shard }) => shard)).toEqual(rows.map((row) => shardOf(row.mint)));
    }),
    { numRuns: 20 },
  );
});

it('the mints to refresh include SOL once per round', async () => {
  await createTestApp();
  await insertActiveCalls({ count: 1_000, calledAt: AT });
  const { list } = createMintsWithSol(createActiveMintsRepository(createDatabase(testEnv.DB)));
  const listed: string[] = [];
  for (let fromShard: number | null = 0; fromShard !== null;) {
    const { mints, nextShard } = await list({ fromShard, limit: 100 });
    listed.push(...mints);
    fromShard = nextShard;
  }
  expect(listed.filter((mint) => mint === WRAPPED_SOL_MINT)).toHaveLength(1);
  expect(listed).toHaveLength(1_001);
});

it('storing a closing price writes only two rows', async () => {
  const mints = await insertActiveCalls({ count: 100, calledAt: AT });
  const db = createDatabase(testEnv.DB);
  const prices = mints.map((mint) => [mint, '2'] as const);
  const { sql, params } = db.run(createPriceClosesRepository(db).record({ prices, at: AT + 1 })).getQuery();
  const { meta, results } = await testEnv.DB.prepare(sql)
    .bind(...params)
    .all();
  expect(results).toHaveLength(100);
  expect(meta.rows_written).toBe(200);
});

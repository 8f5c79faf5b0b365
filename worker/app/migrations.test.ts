import { applyD1Migrations, reset } from 'cloudflare:test';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants.ts';
import { personKey } from '#schema/rules/look-alike-callers.ts';
import { query } from '../test-support/database.ts';
import { createTestApp, testEnv } from '../test-support/test-app.ts';

const MIGRATION = '0016_honest_rankings.sql';
const START = 1_800_000_000_000;

interface OldCall {
  readonly id: string;
  readonly mint?: string;
  readonly calledAt?: number;
  readonly heldMs?: number | null;
  readonly endPrice?: string;
  readonly unrankedReason?: string | null;
  /** Number of sources with a fresh price at the entry and at the end. Null if the call has no quotes. */
  readonly sources?: readonly [entry: number, end: number] | null;
}

async function insertOld(call: OldCall): Promise<void> {
  const { id, mint = id, calledAt = START, heldMs = HOUR_MS, endPrice = '2', sources = [2, 2] } = call;
  const endedAt = heldMs === null ? null : calledAt + heldMs;
  await query(
    `INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at,
       unranked_reason, end_price, ended_at, change_percent)
     VALUES (?, 'caller', ?, ?, 'Token', '1', ?, ?, ?, ?, ?)`,
    id,
    mint,
    id,
    calledAt,
    call.unrankedReason ?? null,
    heldMs === null ? null : endPrice,
    endedAt,
    heldMs === null ? null : (Number(endPrice) - 1) * 100,
  );
  if (sources === null) return;
  const sides = [
    { side: 'open', at: calledAt, fresh: sources[0] },
    ...(endedAt === null ? [] : [{ side: 'end', at: endedAt, fresh: sources[1] }]),
  ];
  for (const { side, at, fresh } of sides) {
    for (const [index, source] of ['jupiter', 'dexscreener'].entries()) {
      await query(
        `INSERT INTO price_quotes (call_id, side, source, price, failure, is_recorded, quoted_at)
         VALUES (?, ?, ?, ?, NULL, ?, ?)`,
        id,
        side,
        source,
        '1',
        Number(index === 0),
        index < fresh ? at - MINUTE_MS : at - MINUTE_MS - 1,
      );
    }
  }
}

const namesOf = async (type: 'trigger' | 'index') => {
  const rows = await query<{ name: string }>(
    'SELECT name FROM sqlite_master WHERE type = ? AND sql IS NOT NULL',
    type,
  );
  return rows.map(({ name }) => name).toSorted();
};

/** Applies the remaining migrations. The tests that follow need them, too. */
const applyAll = () => applyD1Migrations(testEnv.DB, testEnv.TEST_MIGRATIONS);

describe(`the migration ${MIGRATION}`, () => {
  afterEach(applyAll);

  it('keeps every call, event, trigger and index, and judges old calls by the new rules', async () => {
    const position = testEnv.TEST_MIGRATIONS.findIndex(({ name }) => name === MIGRATION);
    await reset();
    await applyD1Migrations(testEnv.DB, testEnv.TEST_MIGRATIONS.slice(0, position));
    await query(
      `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
       VALUES ('caller', 'x', 'caller', 'Cal', 'Ler', 1, 1)`,
    );
    await query(
      "INSERT INTO callers (caller_id, search_text, created_at, updated_at) VALUES ('caller', '', 1, 1)",
    );
    const old: (OldCall & { expected: readonly [unranked: string | null, uncounted: string | null] })[] = [
      { id: 'counted', expected: [null, null] },
      { id: 'repeated', mint: 'counted', calledAt: START + DAY_MS - 1, expected: ['repeated_mint', null] },
      { id: 'later', mint: 'counted', calledAt: START + 2 * DAY_MS, expected: [null, null] },
      { id: 'single', sources: [1, 2], expected: ['one_source', null] },
      { id: 'single_end', sources: [2, 1], expected: [null, 'one_source'] },
      { id: 'single_loss', sources: [2, 1], endPrice: '0.5', expected: [null, null] },
      { id: 'short', heldMs: 10 * MINUTE_MS - 1, expected: [null, 'short_hold'] },
      { id: 'ten', heldMs: 10 * MINUTE_MS, expected: [null, null] },
      { id: 'short_loss', heldMs: 1, endPrice: '0.5', expected: [null, null] },
      { id: 'thin', unrankedReason: 'thin_liquidity', heldMs: 1, expected: ['thin_liquidity', null] },
      { id: 'no_quotes', sources: null, expected: [null, null] },
      { id: 'active', heldMs: null, expected: [null, null] },
    ];
    for (const call of old) await insertOld(call);
    await query("INSERT INTO call_updates VALUES ('update', 'active', 'Still on.', 5)");
    const children = () =>
      Promise.all(
        ['price_quotes', 'call_updates', 'call_events'].map((table) =>
          query(`SELECT * FROM ${table} ORDER BY 1, 2, 3`),
        ),
      );
    const columns = `id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, end_price, ended_at,
      change_percent, is_paid_promotion`;
    const before = {
      children: await children(),
      calls: await query(`SELECT ${columns} FROM calls ORDER BY id`),
      triggers: await namesOf('trigger'),
      indexes: await namesOf('index'),
    };

    await applyD1Migrations(testEnv.DB, testEnv.TEST_MIGRATIONS.slice(0, position + 1));
    expect(await children()).toEqual(before.children);
    expect(await query(`SELECT ${columns} FROM calls ORDER BY id`)).toEqual(before.calls);
    expect(await namesOf('trigger')).toEqual(before.triggers);
    expect(await namesOf('index')).toEqual(
      [...before.indexes, 'calls_by_age', 'calls_of_caller', 'unpriced_mints_by_time'].toSorted(),
    );
    expect(await query('PRAGMA foreign_key_check')).toEqual([]);
    const judged = await query<Record<string, string | null>>('SELECT * FROM calls');
    expect(
      new Map(judged.map((row) => [row['id'], [row['unranked_reason'], row['uncounted_gain_reason']]])),
    ).toEqual(new Map(old.map(({ id, expected }) => [id, expected])));
    expect(await query('SELECT ranked_calls, has_record FROM callers')).toEqual([
      { ranked_calls: 8, has_record: 1 },
    ]);

    await applyAll();
    const app = await createTestApp();
    expect(await app.services.statisticsRepair.repair()).toBe(1);
    expect(await query('SELECT ranked_calls, total_calls, ended_calls FROM callers')).toEqual([
      { ranked_calls: 8, total_calls: 12, ended_calls: 11 },
    ]);
  });
});

describe('the migration 0027_look_alikes.sql', () => {
  afterEach(applyAll);

  it('computes the same keys as the product for handles and plain names, and dates them to when the caller joined', async () => {
    const position = testEnv.TEST_MIGRATIONS.findIndex(({ name }) => name === '0027_look_alikes.sql');
    await reset();
    await applyD1Migrations(testEnv.DB, testEnv.TEST_MIGRATIONS.slice(0, position));
    const people = [
      ...fc.sample(fc.tuple(fc.stringMatching(/^\w{1,15}$/), fc.stringMatching(/^[A-Za-z0-9 ]{0,30}$/)), 200),
      ['Arnara_Ca11s', 'VVhale Corner 2348'],
      ['vvvrrnn1i', ''],
    ].map(([handle = '', name = ''], index) => ({
      handle: `${handle}_${index}`,
      name,
      expected: personKey(name),
    }));
    people.push({ handle: 'cyrillic', name: 'Аmаrа', expected: null as never });
    people.push({ handle: 'user-1900000000000000006', name: 'Lost', expected: 'lost' });
    for (const [index, { handle, name }] of people.entries()) {
      await query(
        `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
         VALUES (?1, ?1, ?2, ?3, '', 1, 1)`,
        String(index),
        handle,
        name,
      );
      await query(
        "INSERT INTO callers (caller_id, search_text, created_at, updated_at) VALUES (?, '', ?, 1)",
        String(index),
        START + index,
      );
    }
    await applyAll();
    const rows = await query(
      'SELECT handle_key, name_key, handle_since, name_since FROM callers ORDER BY created_at',
    );
    expect(rows).toEqual(
      people.map(({ handle, expected }, index) => ({
        handle_key: handle.startsWith('user-') ? '' : personKey(handle),
        name_key: expected,
        handle_since: START + index,
        name_since: START + index,
      })),
    );
  });
});

describe('the migration 0029_active_mints.sql', () => {
  afterEach(applyAll);

  it('finds the mints of the active calls, and keeps all closing prices', async () => {
    const position = testEnv.TEST_MIGRATIONS.findIndex(({ name }) => name === '0029_active_mints.sql');
    await reset();
    await applyD1Migrations(testEnv.DB, testEnv.TEST_MIGRATIONS.slice(0, position));
    await query(
      `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
       VALUES ('caller', 'x', 'caller', 'Cal', 'Ler', 1, 1)`,
    );
    for (const [id, mint, heldMs] of [
      ['a', 'one', null],
      ['b', 'two', null],
      ['c', 'three', HOUR_MS],
    ] as const) {
      await insertOld({ id, mint, heldMs, sources: null });
    }
    const closes = [
      { mint: 'three', at: 1, price: '1' },
      { mint: 'three', at: 2, price: '0.5' },
    ];
    await query(
      "INSERT INTO price_closes (mint, at, price) SELECT value->>'mint', value->>'at', value->>'price' FROM json_each(?)",
      JSON.stringify(closes),
    );
    await applyAll();
    expect(await query('SELECT mint FROM active_mints ORDER BY mint')).toEqual([
      { mint: 'one' },
      { mint: 'two' },
    ]);
    expect(await query('SELECT mint, at, price FROM price_closes ORDER BY at')).toEqual(closes);
  });
});

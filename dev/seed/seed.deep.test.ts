import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOG_ANCHOR_LATE_MS, LOG_DUE_MS } from '#schema/constants/log.ts';
import { MIN_MICRO_CAPS_LISTED, UNRANKED_REASONS } from '#schema/constants/market.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { createSampleData } from '../local/create-sample-data.ts';

const SEED_TIMEOUT_MS = 10 * MINUTE_MS;
const now = Date.UTC(2026, 5, 1, 12, 34, 56);
const ports = { port: 9_187, solanaPort: 9_199, standInsPort: 9_188 };
const folders = ['one', 'other'].map((name) => mkdtempSync(join(tmpdir(), `solcallers-seed-${name}-`)));
const databases: DatabaseSync[] = [];

const [read, readOther] = [0, 1].map(
  (index) => (query: string) =>
    databases[index]
      ?.prepare(query)
      .all()
      .map((row) => ({ ...row })) ?? [],
) as [(query: string) => Record<string, unknown>[], (query: string) => Record<string, unknown>[]];
const count = (query: string) => Number(read(`SELECT COUNT(*) AS count FROM ${query}`)[0]?.['count']);

beforeAll(async () => {
  const productUrl = 'http://localhost:9187';
  await Promise.all(folders.map((dataDir) => createSampleData({ ...ports, dataDir, productUrl }, now)));
  for (const folder of folders) {
    const directory = join(folder, 'state/v3/d1/miniflare-D1DatabaseObject');
    const file = readdirSync(directory).find((name) => /^[0-9a-f]+\.sqlite$/.test(name)) ?? '';
    databases.push(new DatabaseSync(join(directory, file), { readOnly: true }));
  }
}, SEED_TIMEOUT_MS);

afterAll(() => {
  for (const database of databases) database.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

describe('the sample data', () => {
  test('the sample data records the higher of two prices when a call opens, and the lower price when the call ends', () => {
    const recorded = (side: string, comparison: string) =>
      count(`price_quotes r JOIN price_quotes o
        ON o.call_id = r.call_id AND o.side = r.side AND o.source <> r.source AND o.price IS NOT NULL
        WHERE r.is_recorded AND r.side = '${side}' AND CAST(r.price AS REAL) ${comparison} CAST(o.price AS REAL)`);
    expect([recorded('open', '<'), recorded('end', '>')]).toEqual([0, 0]);
    expect(recorded('open', '>')).toBeGreaterThan(300);
    expect(recorded('end', '<')).toBeGreaterThan(270);
  });

  test('the sample data has a call for every unranked reason, and few callers with under five ranked calls', () => {
    const reasons = read('SELECT DISTINCT unranked_reason AS reason FROM calls').map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set([null, ...UNRANKED_REASONS]));
    const few = count('callers WHERE ranked_calls < 5');
    expect(few).toBeGreaterThan(2);
    expect(few).toBeLessThan(14);
  });

  test('the sample data has a caller with a record of micro-caps, and one who raised the fee', () => {
    expect(count(`callers WHERE micro_cap_calls >= ${MIN_MICRO_CAPS_LISTED}`)).toBe(1);
    expect(count('past_fees')).toBeGreaterThan(0);
  });

  test('the sample data has at least five Proven callers', () => {
    expect(count('callers WHERE proven > 0')).toBeGreaterThanOrEqual(5);
  });

  test('every call, update and end in the sample data is in the log and anchored in time', () => {
    const acts = count('calls') + count('calls WHERE ended_at IS NOT NULL') + count('call_updates');
    expect(count('log_entries WHERE call_id IS NOT NULL')).toBeGreaterThanOrEqual(acts);
    const [{ size } = {}] = read('SELECT MAX(size) AS size FROM log_checkpoints');
    expect(size).toBe(count('log_entries'));
    expect(count('log_anchors WHERE finalized_at IS NULL')).toBeLessThan(2);
    expect(count('calls WHERE is_late = 1')).toBe(0);
  });

  test('every checkpoint in the sample data is anchored before it is late', () => {
    const late = count(`log_checkpoints c
      WHERE (SELECT MIN(finalized_at) FROM log_anchors WHERE size >= c.size) - c.at > ${LOG_ANCHOR_LATE_MS}`);
    expect(late).toBe(0);
  });

  test('every log entry in the sample data gets a checkpoint within two minutes', () => {
    const late = count(`log_entries e
      WHERE (SELECT MIN(at) FROM log_checkpoints WHERE size >= e.id) - e.at > ${LOG_DUE_MS}`);
    expect(late).toBe(0);
  });

  test('every payment in the sample data has a subscription period and a “granted” ledger entry', () => {
    const payments = count('payments');
    expect(payments).toBeGreaterThan(100);
    expect(count('subscriptions WHERE payment_id IS NOT NULL')).toBe(payments);
    expect(count("payment_ledger WHERE kind = 'granted'")).toBe(payments);
    expect(count('payment_orphans')).toBe(0);
  });

  test('the sample data has no failed deliveries', () => {
    expect(count('call_events')).toBeGreaterThan(800);
    expect(count('failed_deliveries')).toBe(0);
  });

  test('two runs for the same time create the same sample data', () => {
    for (const table of [
      'users',
      'calls',
      'price_quotes',
      'payments',
      'log_entries',
      'log_checkpoints',
      'callers',
    ]) {
      const query = `SELECT * FROM ${table} ORDER BY 1, 2, 3`;
      expect(readOther(query), table).toEqual(read(query));
    }
  });
});

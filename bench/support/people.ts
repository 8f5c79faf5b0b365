import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants.ts';

/** Adds the people whose requests are measured to a world that doesn't run yet. */

export const HEAVY_CALLS = 20_000;
export const FOLLOWED = 80;

export interface Person {
  readonly id: string;
  readonly cookie: string;
}

export interface People {
  /** Callers with HEAVY_CALLS ended calls. Only one of them is verified. */
  readonly heavy: Person;
  readonly verified: Person;
  /** Follows the FOLLOWED callers with the most calls. */
  readonly follower: Person;
  /** The size of an ended call with its quotes, events, update and indexes. */
  readonly bytesPerCall: number;
  /** The size of a caller with their user, indexes and search text. */
  readonly bytesPerCaller: number;
}

const CALL_TABLES = ['calls', 'price_quotes', 'call_events', 'call_updates'];
const CALLER_TABLES = [
  'users',
  'callers',
  'callers_search_data',
  'callers_search_idx',
  'callers_search_docsize',
];

export function addPeople(file: string): People {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  const now = Date.now();
  const { callers } = database.prepare('SELECT COUNT(*) AS callers FROM callers').get() as {
    callers: number;
  };
  const bytesPerCaller = bytesOf(database, CALLER_TABLES) / callers;
  const before = bytesOf(database, CALL_TABLES);
  database.exec('BEGIN');
  const heavy = addHeavyCaller(database, { name: 'bench_heavy', isVerified: false, now });
  const verified = addHeavyCaller(database, { name: 'bench_verified', isVerified: true, now });
  const follower = addUser(database, 'bench_follower', now);
  const followed = `SELECT caller_id FROM callers ORDER BY total_calls DESC, caller_id DESC LIMIT ${FOLLOWED}`;
  database.exec(
    `INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, status, created_at)
     SELECT 'bench-' || caller_id, '${follower.id}', caller_id, ${now}, 'active', ${now}
     FROM (${followed});
     UPDATE callers SET subscriber_count = subscriber_count + 1 WHERE caller_id IN (${followed})`,
  );
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  const bytesPerCall = (bytesOf(database, CALL_TABLES) - before) / (2 * HEAVY_CALLS);
  database.close();
  return { heavy, verified, follower, bytesPerCall, bytesPerCaller };
}

/** The size of these tables with their indexes. Asks for one name at a time, because else SQLite reads the whole file. */
function bytesOf(database: DatabaseSync, tables: readonly string[]): number {
  const names = database
    .prepare(
      'SELECT name FROM sqlite_schema WHERE rootpage > 0 AND tbl_name IN (SELECT value FROM json_each(?))',
    )
    .all(JSON.stringify(tables)) as { name: string }[];
  const find = database.prepare('SELECT pgsize AS bytes FROM dbstat WHERE aggregate = TRUE AND name = ?');
  const sizes = names.map(({ name }) => (find.get(name) as { bytes: number } | undefined)?.bytes ?? 0);
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

function addUser(database: DatabaseSync, name: string, now: number): Person {
  const token = `${name}-token`;
  database
    .prepare(
      `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
       VALUES (?, ?, ?, 'Bench', 'Person', ?, ?)`,
    )
    .run(name, name, name, now, now);
  database
    .prepare(
      `INSERT INTO sessions (token_hash, user_id, created_at, expires_at, last_used_at) VALUES (?, ?, ?, ?, ?)`,
    )
    .run(createHash('sha256').update(token).digest('hex'), name, now, now + DAY_MS, now);
  return { id: name, cookie: `session=${token}` };
}

interface HeavyCaller {
  readonly name: string;
  readonly isVerified: boolean;
  readonly now: number;
}

function addHeavyCaller(database: DatabaseSync, { name, isVerified, now }: HeavyCaller): Person {
  const person = addUser(database, name, now);
  database
    .prepare('INSERT INTO callers (caller_id, search_text, created_at, updated_at) VALUES (?, ?, ?, ?)')
    .run(name, `bench person @${name}`, now, now);
  database.prepare('UPDATE users SET is_verified = ? WHERE id = ?').run(Number(isVerified), name);
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${HEAVY_CALLS})`;
  const id = `printf('%s-%032d', '${name}', i)`;
  const endedAt = `${now} - ${DAY_MS} - i * ${MINUTE_MS}`;
  const statements = [
    `INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, logo_uri, entry_price, called_at, end_price,
       ended_at, change_percent, peak_price, peak_at)
     SELECT ${id}, '${name}', printf('%044d', i % 500), 'TOKEN' || (i % 500), 'A token of the benchmark',
       'https://example.com/icons/' || (i % 500) || '.png', '0.000021', ${endedAt} - ${HOUR_MS}, '0.000027', ${endedAt},
       (i * 7919) % 200 - 80, '0.000031', ${endedAt}
     FROM n`,
    ...['open', 'end'].flatMap((side) =>
      ['jupiter', 'dexscreener'].map(
        (source) =>
          `INSERT INTO price_quotes (call_id, side, source, price, is_recorded, quoted_at, block_id, liquidity_usd)
           SELECT ${id}, '${side}', '${source}', '0.000021', ${Number(source === 'jupiter')}, ${endedAt}, 350000000 + i, 9400000
           FROM n`,
      ),
    ),
    `INSERT INTO call_updates (id, call_id, message, created_at)
     SELECT ${id} || '-update', ${id}, 'Take half off and move the stop to the entry price.', ${endedAt} FROM n`,
    ...['call_opened', 'call_ended'].map(
      (kind) =>
        `INSERT INTO call_events (id, kind, call_id, caller_id, at, queued_at)
         SELECT '${kind}:' || ${id}, '${kind}', ${id}, '${name}', ${endedAt}, ${endedAt} FROM n`,
    ),
    // The trigger on updates has added their events.
    `UPDATE call_events SET queued_at = at WHERE caller_id = '${name}' AND queued_at IS NULL`,
    `UPDATE callers SET ranked_calls = ended_calls, win_rate = 50.5, avg_return = 12.25, proven_rate = 48.5
     WHERE caller_id = '${name}'`,
  ];
  for (const statement of statements) {
    database.exec(statement.startsWith('UPDATE') ? statement : `${numbers} ${statement}`);
  }
  return person;
}

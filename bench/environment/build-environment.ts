// Builds a local D1 database with up to millions of callers and calls, for the benchmarks.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SQL } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { personKey } from '#schema/rules/people/look-alike-callers.ts';
import { findDatabase } from '#dev/local/data-folder.ts';
import { migrateDatabase } from '#dev/local/migrate-database.ts';

const STATISTICS_REPOSITORY = '#worker/modules/market/calls/call-statistics.repository.ts';
/** Callers per statement that computes figures. */
const SLICE = 20_000;
const SURNAMES = 10_000;
const HASHES_PER_TILE = 256;
const FIRST_NAMES = 2_000;
const FIRST_NAMES_FROM = 10_000;
/** Words in the handles of 30% of the callers. */
export const WORDS = ['crypto', 'sol', 'moon', 'alpha', 'degen', 'trader', 'calls', 'gem', 'whale', 'king'];

export interface EnvironmentOptions {
  readonly callers: number;
  /** Active and ended calls. A fifth of them is active, or one per mint if that is more. */
  readonly calls: number;
  /** Different tokens with active calls. At most 1,000,000. */
  readonly mints: number;
  /** The folder for `wrangler dev --persist-to`. Its database is replaced. */
  readonly directory: string;
}

/** The id of the user and caller with this number, from 0. Like real ids, these ids aren't in order. */
export const userIdOf = (number: number): string =>
  `${((number * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}-${String(number).padStart(7, '0')}`;

/** The rows of the big things. */
export const BIG = {
  callerCalls: 20_000,
  chatMembers: 10_000,
  followed: 30,
  followedCalls: 600,
  tokenCalls: 5_000,
};
/** The number of the user who follows `BIG.followed` callers. */
export const FAN = 31;
const BIG_FROM_CALLERS = 10_000;

const VOWELS = ['a', 'e', 'i', 'o', 'u'];
const CONSONANTS = [...'bdfgklmnrs'];

/** The name with this number: one syllable per digit, with another vowel at each place. */
export const nameOf = (number: number): string =>
  [...String(number).padStart(4, '0')]
    .map((digit, place) => `${CONSONANTS[Number(digit)]}${VOWELS[place]}${place % 2 === 0 ? '' : 'n'}`)
    .join('');

/**
 * Creates a database with the product's migrations and fills it with SQL in `directory`, as if the product had run for
 * three years. A million callers with five million calls take about ten minutes and 4 GB.
 *
 * - There are 10,000 surnames. Handles are unique; a third of them begin with a popular word.
 * - Names that look alike have the same key.
 * - Every user is a caller. A twentieth of the calls belongs to the first thousandth of the callers.
 * - Active calls are up to 85 days old and none is due to end.
 * - Every user follows one caller until a time in the next 30 days. Every tenth of these periods is paid. A few
 *   callers have most of the followers.
 * - For three quarters of the callers, the fee rises with the win rate. Many figures are equal.
 * - Every hundredth user has a Telegram chat.
 * - Each token with active calls has ten closing prices.
 * - With at least 10,000 callers, there is one big thing of each kind (`BIG`): caller 0 with calls and a group, the fan
 *   who follows callers 1 to 30, and token 0.
 * - The log has each name, opening and end. Its hashes are made up, so nothing of it can be verified.
 * - The figures of all callers are correct, so that the repair job changes nothing.
 */
export async function buildEnvironment(options: EnvironmentOptions): Promise<void> {
  const { directory } = options;
  rmSync(join(directory, 'v3/d1'), { recursive: true, force: true });
  migrateDatabase(directory);
  const file = findDatabase(directory);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = off; PRAGMA cache_size = -2000000; PRAGMA foreign_keys = off');
  database.function('name_of', (number) => nameOf(Number(number)));
  database.function('word_of', (number) => WORDS[Number(number) % WORDS.length] ?? '');
  database.function('person_key', (text) => personKey(String(text)));
  database.exec('BEGIN');
  await fill(database, options);
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

/** Inserts the rows before it creates indexes and triggers, which is many times faster. */
async function fill(database: DatabaseSync, options: EnvironmentOptions): Promise<void> {
  // Foreign keys need the index of the referenced columns.
  const isSaved = (name: string) => name === 'users_live';
  const parts = database
    .prepare(
      "SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'index') AND sql IS NOT NULL",
    )
    .all() as { type: string; name: string; sql: string }[];
  const dropped = parts.filter(({ name }) => !isSaved(name));
  const ofCallers = dropped.filter(({ sql }) => / ON `?callers`? /.test(sql));
  for (const { type, name } of dropped) database.exec(`DROP ${type} ${name}`);
  database.exec(`CREATE TEMP TABLE n (i INTEGER PRIMARY KEY);
    ${count(Math.max(options.calls, options.callers))} INSERT INTO n SELECT i FROM numbers`);
  for (const statement of listInserts(options, Date.now())) database.exec(statement);
  const create = (kind: string, from: typeof parts) => {
    for (const { type, sql } of from) if (type === kind) database.exec(sql);
  };
  create(
    'index',
    dropped.filter((part) => !ofCallers.includes(part)),
  );
  await computeFigures(database, options.callers);
  database.exec('INSERT INTO callers_search (rowid, tokens) SELECT id, tokens FROM callers_search_documents');
  create('index', ofCallers);
  create('trigger', dropped);
}

/** Computes the callers' figures with the product's own statements. */
async function computeFigures(database: DatabaseSync, callers: number): Promise<void> {
  const figures = (await import(STATISTICS_REPOSITORY)) as Figures;
  const dialect = new SQLiteSyncDialect();
  for (let from = 0; from < callers; from += SLICE) {
    const ids = Array.from({ length: Math.min(SLICE, callers - from) }, (_, offset) =>
      userIdOf(from + offset),
    );
    for (const statement of [figures.repairStatistics(ids), figures.repairSubscriberCounts(ids)]) {
      const { sql, params } = dialect.sqlToQuery(statement);
      database.prepare(sql).all(...(params as (string | number)[]));
    }
  }
  database.exec(`UPDATE callers SET earned_lamports = paid.sum
    FROM (SELECT caller_id, SUM(caller_lamports) AS sum FROM payments GROUP BY caller_id) paid
    WHERE paid.caller_id = callers.caller_id`);
  database.exec(`UPDATE callers
    SET fee_lamports = 100000000 * CAST(MAX(0, MIN(45, win_rate / 2 - 4 + rowid * 2654435761 % 9)) AS INTEGER)
    WHERE rowid % 4 > 0`);
}

interface Figures {
  repairStatistics(ids: readonly string[]): SQL;
  repairSubscriberCounts(ids: readonly string[]): SQL;
}

/** SQL for the name of user number `i`. */
const FIRST_NAME = `name_of(${FIRST_NAMES_FROM} + i % ${FIRST_NAMES})`;
const LAST_NAME = `name_of(i * 7919 % ${SURNAMES})`;
const HANDLE = `iif(i % 10 < 3, word_of(i / 10), 'user') || '_' || i`;
const count = (rows: number) =>
  `WITH RECURSIVE numbers(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${rows - 1})`;
const idOf = (number: string) => `printf('%08x-%07d', ((${number}) * 2654435761) % 4294967296, ${number})`;
/** Letters instead of digits, because base58 has no zero. */
const lettersOf = (number: string) =>
  [...'ABCDEFGHJK'].reduce((text, letter, digit) => `replace(${text}, '${digit}', '${letter}')`, number);
const mintOf = (number: string) =>
  `'Mint' || ${lettersOf(`printf('%06d', ${number})`)} || '${'X'.repeat(33)}'`;
/** SQL for a signature: 64 bytes in base58. */
const signatureOf = (number: string) => `'${'1'.repeat(58)}K' || ${lettersOf(`printf('%07d', ${number})`)}`;
function listInserts(options: EnvironmentOptions, now: number): string[] {
  return [
    ...insertPeople(options, now),
    ...insertCalls(options, now),
    ...insertSubscriptions(options, now),
    ...(options.callers < BIG_FROM_CALLERS ? [] : insertBig(now)),
    ...insertLog(now),
  ];
}

function insertPeople({ callers }: EnvironmentOptions, now: number): string[] {
  return [
    `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, is_verified, created_at, updated_at)
     SELECT ${idOf('i')}, 'x' || i, ${HANDLE}, ${FIRST_NAME}, ${LAST_NAME}, i % 50 = 0, ${now}, ${now}
     FROM n WHERE i < ${callers}`,
    `INSERT INTO callers (caller_id, search_text, handle_key, name_key, fee_lamports, payout_address, is_verified,
       created_at, updated_at)
     SELECT ${idOf('i')}, lower(${FIRST_NAME} || ' ' || ${LAST_NAME} || ' @' || ${HANDLE}), person_key(${HANDLE}),
       person_key(${FIRST_NAME} || ' ' || ${LAST_NAME}), (i * 31 % 23) * 100000000, 'payout' || i, i % 50 = 0, ${now}, ${now}
     FROM n WHERE i < ${callers}`,
    `UPDATE callers SET summary = (
       SELECT json_object('first_name', first_name, 'last_name', last_name, 'twitter_handle', twitter_handle,
         'profile_image_url', profile_image_url, 'is_verified', is_verified)
       FROM users WHERE id = callers.caller_id)`,
    `INSERT INTO telegram_links (user_id, handle, chat_id, connected_at, updated_at)
     SELECT ${idOf('i')}, '@' || ${HANDLE}, 'chat-' || i, ${now}, ${now}
     FROM n WHERE i < ${callers} AND i % 100 = 3`,
  ];
}

function insertCalls({ callers, calls, mints }: EnvironmentOptions, now: number): string[] {
  const active = Math.min(calls, Math.max(mints, Math.floor(calls / 5)));
  const heavy = Math.max(1, Math.floor(callers / 1000));
  const mint = `((i + i / ${callers}) % ${mints})`;
  const calledAt = `${now} - ${2 * MINUTE_MS} - (i * 7919 % ${(85 * DAY_MS) / 1000}) * 1000`;
  const endedAt = `${now} - ${MINUTE_MS} - (i * 104729 % ${(3 * 365 * DAY_MS) / 1000}) * 1000`;
  const change = '((i * 31) % 301 - 90)';
  const columns = 'id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at';
  return [
    `INSERT INTO calls (${columns}, target_price)
     SELECT 'active-' || i, ${idOf(`i % ${callers}`)}, ${mintOf(mint)}, 'T' || ${mint}, 'Token ' || ${mint},
       1 + i % 97, ${calledAt}, iif(i % 10 = 0, '1000000000', NULL)
     FROM n WHERE i < ${active}`,
    `INSERT INTO calls (${columns}, end_price, ended_at, change_percent, unranked_reason)
     SELECT ${idOf('i')} || '-ended', ${idOf(`iif(i % 20 = 0, i / 20 % ${heavy}, (i * 2654435761) % ${callers})`)},
       ${mintOf(`i % ${mints}`)}, 'T' || (i % ${mints}), 'Token ' || (i % ${mints}), '100',
       ${endedAt} - ${HOUR_MS} - (i * 31 % 400) * ${HOUR_MS}, 100 + ${change}, ${endedAt}, ${change},
       iif(i % 9 = 0, 'micro_cap', NULL)
     FROM n WHERE i >= ${active} AND i < ${calls}`,
    `UPDATE calls SET follower_rule = 'marks', (follower_ppm, sol_ppm, copied) = (
       SELECT ppm, ppm, json_object('ppm', json_array(ppm, ppm, ppm), 'sol', 0) FROM (SELECT CAST((change_percent - 3 - rowid % 7) * 10000 AS INTEGER) AS ppm))
     WHERE ended_at IS NOT NULL`,
    `INSERT INTO called_tokens (mint, symbol, name, call_id)
     SELECT token_mint, token_symbol, token_name, MIN(id) FROM calls WHERE ended_at IS NOT NULL GROUP BY token_mint`,
    'INSERT INTO active_mints (mint) SELECT DISTINCT token_mint FROM calls WHERE ended_at IS NULL',
    `INSERT INTO price_closes (mint, at, price)
     SELECT ${mintOf('i')}, (${now} / ${HOUR_MS} - step.value * 8) * ${HOUR_MS} + 1000 + i % 1000, 1 + i % 97
     FROM n, json_each('[1,2,3,4,5,6,7,8,9,10]') step WHERE i < ${mints}`,
  ];
}

function insertSubscriptions({ callers }: EnvironmentOptions, now: number): string[] {
  const isFollower = `i < ${callers} AND ${callers} > 1`;
  const spread = `(i * 7919 % ${callers})`;
  const skewed = `(${spread} * ${spread} / ${callers})`;
  const caller = idOf(`iif(${skewed} = i, (i + 1) % ${callers}, ${skewed})`);
  const isPaid = `i % 10 = 0`;
  const endsAt = `(${now} + (i * 7919 % ${SUBSCRIPTION_PERIOD_MS / 1000}) * 1000)`;
  const startsAt = `(${endsAt} - ${SUBSCRIPTION_PERIOD_MS})`;
  const amounts = '500000000, 450000000, 50000000';
  const lamports = 'total_lamports, caller_lamports, platform_lamports';
  const from = `FROM n WHERE ${isFollower}`;
  const ofPayments = `${from} AND ${isPaid}`;
  return [
    `INSERT INTO payment_intents (id, user_id, caller_id, reference, caller_address, platform_address, fee_lamports, days,
       ${lamports}, created_at, expires_at)
     SELECT 'intent-' || i, ${idOf('i')}, ${caller}, 'reference-' || i, 'payout', 'platform', 500000000, 30,
       ${amounts}, ${startsAt}, ${startsAt} + ${10 * MINUTE_MS} ${ofPayments}`,
    `INSERT INTO payments (id, signature, intent_id, user_id, caller_id, payer_address, ${lamports}, slot, paid_at,
       created_at)
     SELECT 'payment-' || i, ${signatureOf('i')}, 'intent-' || i, ${idOf('i')}, ${caller}, 'payer', ${amounts}, 1,
       ${startsAt}, ${startsAt} ${ofPayments}`,
    ...['granted', 'finalized'].map(
      (kind) => `INSERT INTO payment_ledger (id, payment_id, kind, slot, starts_at, ends_at, at)
       SELECT '${kind}-' || i, 'payment-' || i, '${kind}', 1, ${kind === 'granted' ? `${startsAt}, ${endsAt}` : 'NULL, NULL'},
         ${startsAt} ${ofPayments}`,
    ),
    `INSERT INTO subscriptions (id, subscriber_id, caller_id, payment_id, starts_at, ends_at, status, created_at,
       finalized_at)
     SELECT 'subscription-' || i, ${idOf('i')}, ${caller}, iif(${isPaid}, 'payment-' || i, NULL), ${startsAt}, ${endsAt},
       'active', ${startsAt}, iif(${isPaid}, ${startsAt}, NULL) ${from}`,
    `INSERT INTO ledger_checks (day, started_at, finished_at)
     VALUES (date(${now - DAY_MS} / 1000, 'unixepoch'), ${now - DAY_MS}, ${now - DAY_MS})`,
  ];
}

/** One big caller, chat, fan and token. */
function insertBig(now: number): string[] {
  const columns = 'id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at';
  const endColumns = `${columns}, end_price, ended_at, change_percent, follower_rule, follower_ppm, sol_ppm, copied`;
  const endedAt = `${now} - ${DAY_MS} - i * ${HOUR_MS}`;
  const end = `200, ${endedAt}, 100, 'marks', 970000, 970000, json_object('ppm', json_array(970000, 970000, 970000), 'sol', 0)`;
  const ended = (mint: string) =>
    `${mintOf(mint)}, 'T' || ${mint}, 'Token ' || ${mint}, '100', ${endedAt} - ${HOUR_MS}, ${end}`;
  const endsAt = now + SUBSCRIPTION_PERIOD_MS;
  return [
    `INSERT INTO calls (${endColumns})
     SELECT 'big-' || i, ${idOf('0')}, ${ended('i % 500')} FROM n WHERE i < ${BIG.callerCalls}`,
    `INSERT INTO calls (${endColumns})
     SELECT 'busy-' || i, ${idOf(`1 + i % ${BIG.followed}`)}, ${ended('i % 500')}
     FROM n WHERE i < ${BIG.followed * BIG.followedCalls}`,
    `INSERT INTO calls (${endColumns})
     SELECT 'token-' || i, ${idOf('100 + i')}, ${ended('0')} FROM n WHERE i < ${BIG.tokenCalls}`,
    `INSERT INTO calls (${columns})
     SELECT 'token-active-' || i, ${idOf('100 + i')}, ${mintOf('0')}, 'T0', 'Token 0', 100, ${now} - ${HOUR_MS} - i
     FROM n WHERE i < ${BIG.tokenCalls} AND ${idOf('100 + i')} NOT IN (
       SELECT caller_id FROM calls WHERE token_mint = ${mintOf('0')} AND ended_at IS NULL)`,
    `INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at)
     SELECT 'fan-' || i, ${idOf(String(FAN))}, ${idOf('1 + i')}, ${now} - ${DAY_MS}, ${endsAt}, 'active', ${now} - ${DAY_MS}
     FROM n WHERE i < ${BIG.followed}`,
    `INSERT INTO telegram_chats (chat_id, caller_id, kind, title, checked_at)
     SELECT '-1008880001', ${idOf('0')}, 'group', 'Big', ${now} FROM n WHERE i = 0`,
    `INSERT INTO chat_members (chat_id, person_id, name, status, is_by_us, since)
     SELECT '-1008880001', '9' || printf('%08d', i), 'Guest', 'in', i % 2, ${now} - i * 1000
     FROM n WHERE i < ${BIG.chatMembers}`,
  ];
}

/** The opening and the end of each call, after each caller's name. */
function insertLog(now: number): string[] {
  const salt = `'${'s'.repeat(43)}='`;
  const size = '(SELECT MAX(id) FROM log_entries)';
  const startedAt = now - 4 * 365 * DAY_MS;
  const hashes = (level: number) => `(${size} / ${HASHES_PER_TILE ** level})`;
  const tilesOf = (level: number) => `
    INSERT INTO log_tiles (level, n, data)
    SELECT ${level}, i,
      replace(printf('%.*c', MIN(${HASHES_PER_TILE}, ${hashes(level)} - i * ${HASHES_PER_TILE}), 'x'), 'x', ${salt})
    FROM n WHERE i * ${HASHES_PER_TILE} < ${hashes(level)}`;
  return [
    `INSERT INTO log_entries (id, kind, subject_id, content, at)
     VALUES (1, 'keys', 'keys', '{"v":1,"kind":"keys","key":"earlier","wallet":"earlier"}', ${startedAt})`,
    `INSERT INTO log_entries (id, caller_id, number, kind, call_id, subject_id, content, salt, text_salt, at)
     SELECT 1 + ROW_NUMBER() OVER (ORDER BY at, call_id), caller_id,
       ROW_NUMBER() OVER (PARTITION BY caller_id ORDER BY at, call_id), kind, call_id, COALESCE(call_id, caller_id),
       json_object('v', 1, 'kind', kind, 'call', call_id, 'mint', mint, 'price', price, 'quotes', ${salt}, 'time', at),
       iif(kind = 'opened', ${salt}, NULL), iif(kind = 'opened', ${salt}, NULL), at
     FROM (
       SELECT caller_id, 'named' AS kind, NULL AS call_id, NULL AS mint, NULL AS price, ${startedAt} AS at FROM callers
       UNION ALL SELECT caller_id, 'opened', id, token_mint, entry_price, called_at FROM calls
       UNION ALL SELECT caller_id, 'ended', id, NULL, end_price, ended_at FROM calls WHERE ended_at IS NOT NULL)`,
    ...[0, 1, 2, 3].map(tilesOf),
    `INSERT INTO log_checkpoints (size, previous_size, root, note, at) SELECT ${size}, 0, ${salt}, '', ${now}`,
    `INSERT INTO log_anchors (signature, size, root, last_valid_block_height, created_at, finalized_at, block_time)
     SELECT 'anchor', ${size}, ${salt}, 1, ${now}, ${now}, ${now}`,
    `INSERT INTO job_leases (job, cursor) SELECT 'calls.late', ${size}`,
  ];
}

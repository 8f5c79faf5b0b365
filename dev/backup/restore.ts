import { toDay } from '#schema/rules/text/utc-day.ts';
import { sha256 } from '#worker/shared/sha256.ts';
import { backedUpTables } from '#worker/modules/running/backup/backup-tables.ts';
import {
  DELETION_REQUESTS,
  DELETIONS,
  EXPORTS,
  manifestKey,
  partKey,
  PAYMENTS,
  type Manifest,
  type PaymentFile,
  type Row,
} from '#worker/modules/running/backup/backup-files.ts';

interface Statement {
  bind(...values: unknown[]): Statement;
  all(): Promise<{ results?: unknown[] }>;
}

/** The part of D1 that a restore uses. */
export interface RestoreDatabase {
  prepare(sql: string): Statement;
}

/** The part of R2 that a restore uses. */
export interface RestoreBucket {
  get(key: string): Promise<{ arrayBuffer(): Promise<ArrayBuffer>; text(): Promise<string> } | null>;
  list(options: {
    prefix: string;
    startAfter?: string;
    cursor?: string;
  }): Promise<{ objects: readonly { key: string }[]; truncated: boolean; cursor?: string }>;
}

export interface RestoreReport {
  readonly rows: number;
  /** Rows that don't agree with others, because those changed during the export. */
  readonly leftOut: number;
  /** Payments that began after the export. The cron looks for them on the chain. */
  readonly newerPayments: number;
  /** Payments that changed during the export. They were removed, and the cron reads them from the chain again. */
  readonly readAgain: number;
  /** Ids of the users who deleted their account since the export began. Their data is restored. */
  readonly deletedAccounts: readonly string[];
  /** Ids of the callers who have asked for a later deletion. The backup may be older than the request. */
  readonly deletionRequests: readonly string[];
}

/** A limit that is well within D1's 2 MB per parameter. */
const CHARACTERS_PER_STATEMENT = 500_000;
const FILES_AT_ONCE = 50;
/** The only trigger that stays active during a restore, because it fills the search index. */
const SEARCH_TRIGGER = 'callers_search_inserted';
/** The people and payments of a backup are complete, or it can't be restored. */
const COMPLETE = ['users', 'callers', 'payment_intents', 'payment_broadcasts', 'payments', 'payment_ledger'];

/** @param from a day as YYYY-MM-DD, or `latest` @throws if there is no complete export of that day */
export async function readManifest(bucket: RestoreBucket, from: string): Promise<Manifest> {
  let days = [from];
  if (from === 'latest') {
    const keys: string[] = [];
    for await (const key of listKeys(bucket, EXPORTS)) keys.push(key);
    days = keys.filter((key) => key.endsWith('/manifest.json')).map((key) => key.split('/')[1] ?? '');
  }
  const day = days.toSorted().at(-1) ?? '';
  const file = await bucket.get(manifestKey(day));
  if (!file) throw new Error(`The bucket has no complete export: ${from}`);
  return JSON.parse(await file.text()) as Manifest;
}

/**
 * Restores an export and the copies of later payments into a database that has the export's migrations and no rows.
 * Afterwards the cron finds later payments on the chain (docs/decisions/053-backups.md).
 * @throws if a file is missing or changed. Then begin again with another empty database.
 */
export async function restore(options: {
  readonly db: RestoreDatabase;
  readonly bucket: RestoreBucket;
  readonly manifest: Manifest;
  readonly now: number;
}): Promise<RestoreReport> {
  const { db, bucket, manifest, now } = options;
  const tables = backedUpTables();
  const unknown = Object.keys(manifest.tables).filter((name) => !tables.includes(name));
  if (unknown.length > 0) throw new Error(`This version doesn't know ${unknown.join(', ')}.`);
  const [{ isFilled } = {}] = await query(db, 'SELECT EXISTS (SELECT 1 FROM users) AS isFilled');
  if (isFilled !== 0) throw new Error('The database must have no rows.');
  const triggers = await query(
    db,
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name <> ?",
    SEARCH_TRIGGER,
  );
  for (const { name } of triggers) await query(db, `DROP TRIGGER "${String(name)}"`);
  let rows = 0;
  let leftOut = 0;
  for (const table of tables.toReversed()) {
    if (!manifest.tables[table]) continue;
    const read = await restoreTable({ db, bucket, manifest }, table);
    const [{ restored } = {}] = await query(db, `SELECT COUNT(*) AS restored FROM "${table}"`);
    if (read !== restored && COMPLETE.includes(table)) throw new Error(`The rows of ${table} don't agree.`);
    rows += Number(restored);
    leftOut += read - Number(restored);
  }
  const newerPayments = await restorePayments(db, bucket, manifest);
  const readAgain = await prepareForChain(db, manifest, now);
  for (const { sql } of triggers) await query(db, String(sql));
  const deletedAccounts: string[] = [];
  for await (const key of listKeys(bucket, DELETIONS, `${DELETIONS}${manifest.day}`)) {
    deletedAccounts.push(key.split('/')[2] ?? '');
  }
  const deletionRequests: string[] = [];
  for await (const key of listKeys(bucket, DELETION_REQUESTS)) {
    deletionRequests.push(key.slice(DELETION_REQUESTS.length));
  }
  return { rows, leftOut, newerPayments, readAgain, deletedAccounts, deletionRequests };
}

async function query(
  db: RestoreDatabase,
  sql: string,
  ...values: unknown[]
): Promise<Record<string, unknown>[]> {
  const { results = [] } = await db
    .prepare(sql)
    .bind(...values)
    .all();
  return results as Record<string, unknown>[];
}

async function* listKeys(bucket: RestoreBucket, prefix: string, startAfter = prefix): AsyncGenerator<string> {
  let cursor: string | undefined;
  do {
    const page = await bucket.list({ prefix, ...(cursor === undefined ? { startAfter } : { cursor }) });
    for (const { key } of page.objects) yield key;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
}

async function restoreTable(
  { db, bucket, manifest }: { db: RestoreDatabase; bucket: RestoreBucket; manifest: Manifest },
  table: string,
): Promise<number> {
  const expected = manifest.tables[table];
  const insert = await createInsert(db, table);
  let hash = '';
  let rows = 0;
  for (let part = 1; part <= (expected?.parts ?? 0); part++) {
    const key = partKey(manifest.day, table, part);
    const file = await bucket.get(key);
    if (!file) throw new Error(`${key} is missing.`);
    const packed = new Uint8Array(await file.arrayBuffer());
    hash = sha256(hash, packed);
    const unpacked = await unpackRows(packed);
    await insert(unpacked);
    rows += unpacked.length;
  }
  if (hash !== expected?.hash || rows !== expected.rows) {
    throw new Error(`The files of ${table} differ from the manifest.`);
  }
  return rows;
}

async function unpackRows(packed: Uint8Array<ArrayBuffer>): Promise<Row[]> {
  const text = await new Response(
    new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')),
  ).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

/** @returns a function that inserts rows, except those that exist, or refer to a row that doesn't */
async function createInsert(db: RestoreDatabase, table: string) {
  const references = await query(db, `PRAGMA foreign_key_list("${table}")`);
  const columns = await query(db, `PRAGMA table_xinfo("${table}")`);
  const generated = columns.filter(({ hidden }) => hidden !== 0).map(({ name }) => name);

  const insertPart = async (part: readonly string[], names: readonly string[]) => {
    const list = names.map((name) => `"${name}"`).join(', ');
    const valueOf = (name: unknown) => `value ->> ${names.indexOf(String(name))}`;
    const conditions = references.map(
      ({ table: parent, from, to }) =>
        `(${valueOf(from)} IS NULL OR EXISTS (SELECT 1 FROM "${parent}" WHERE "${to}" = ${valueOf(from)}))`,
    );
    await query(
      db,
      `INSERT OR IGNORE INTO "${table}" (${list})
       SELECT ${names.map(valueOf).join(', ')} FROM json_each(?) WHERE ${['TRUE', ...conditions].join(' AND ')}`,
      `[${part.join(',')}]`,
    );
  };

  return async (rows: readonly Row[]): Promise<void> => {
    const names = Object.keys(rows[0] ?? {}).filter((name) => !generated.includes(name));
    let part: string[] = [];
    let length = 0;
    for (const row of rows) {
      const text = JSON.stringify(names.map((name) => row[name] ?? null));
      if (part.length > 0 && length + text.length > CHARACTERS_PER_STATEMENT) {
        await insertPart(part, names);
        part = [];
        length = 0;
      }
      part.push(text);
      length += text.length;
    }
    if (part.length > 0) await insertPart(part, names);
  };
}

/**
 * Adds the terms of payments that began after the export, and their people. Leaves out payments whose people's copy was
 * lost: the chain's walk then lists them as orphans.
 * @returns the number of intents
 */
async function restorePayments(
  db: RestoreDatabase,
  bucket: RestoreBucket,
  manifest: Manifest,
): Promise<number> {
  const tables = ['users', 'callers', 'payment_intents', 'payment_broadcasts'] as const;
  const inserts = await Promise.all(tables.map((table) => createInsert(db, table)));
  const [{ before } = {}] = await query(db, 'SELECT COUNT(*) AS before FROM payment_intents');
  let keys: string[] = [];
  const readKeys = async () => {
    const files = await Promise.all(
      keys.map(
        async (key) => JSON.parse((await (await bucket.get(key))?.text()) ?? '{}') as Partial<PaymentFile>,
      ),
    );
    keys = [];
    for (const [index, table] of tables.entries()) {
      await inserts[index]?.(files.flatMap((file) => file[table] ?? []));
    }
  };
  for await (const key of listKeys(bucket, PAYMENTS, `${PAYMENTS}${manifest.day}`)) {
    keys.push(key);
    if (keys.length === FILES_AT_ONCE) await readKeys();
  }
  await readKeys();
  const [{ after } = {}] = await query(db, 'SELECT COUNT(*) AS after FROM payment_intents');
  return Number(after) - Number(before);
}

/**
 * Removes payments that changed while the export ran, because their rows may not agree, and makes the cron look for
 * them and for later ones on the chain. Computes the derived rows again.
 */
async function prepareForChain(db: RestoreDatabase, { startedAt }: Manifest, now: number): Promise<number> {
  const changed = await query(
    db,
    `SELECT p.id, p.intent_id AS intentId, p.signature
     FROM payments p
     WHERE p.created_at >= ?1
       OR EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = p.id AND at >= ?1)
       OR EXISTS (SELECT 1 FROM subscriptions WHERE payment_id = p.id) <> ((
         SELECT starts_at FROM payment_ledger
         WHERE payment_id = p.id AND kind <> 'finalized'
         ORDER BY seq DESC LIMIT 1) IS NOT NULL)`,
    startedAt,
  );
  const listed = JSON.stringify(changed);
  const valuesOf = (name: string) => `(SELECT value ->> '${name}' FROM json_each(?1))`;
  for (const table of ['subscriptions', 'payment_ledger', 'refunds', 'refund_transfers']) {
    await query(db, `DELETE FROM ${table} WHERE payment_id IN ${valuesOf('id')}`, listed);
  }
  await query(db, `DELETE FROM payments WHERE id IN ${valuesOf('id')}`, listed);
  await query(
    db,
    `UPDATE payment_broadcasts SET landed_at = NULL WHERE signature IN ${valuesOf('signature')}`,
    listed,
  );
  // Transfers of all opened refunds are searched again. A request after the opening can still be taken back.
  await query(
    db,
    `UPDATE refunds SET
       next_search_at = ?1,
       opened_at = iif(asked_at > opened_at, opened_at, MAX(?1, opened_at)),
       read_slot = 0,
       read_signature = ''
     WHERE opened_at IS NOT NULL`,
    now,
  );
  // The next check begins at once.
  await query(db, 'DELETE FROM ledger_checks WHERE finished_at IS NULL');
  await query(db, "UPDATE OR REPLACE ledger_checks SET day = date(day, '-1 day') WHERE day = ?", toDay(now));
  await query(
    db,
    `UPDATE callers SET
       earned_lamports = (
         SELECT COALESCE(SUM(MAX(0, p.caller_lamports - (
           SELECT COALESCE(SUM(lamports), 0) FROM refund_transfers WHERE payment_id = p.id))), 0)
         FROM payments p
         WHERE p.caller_id = callers.caller_id AND 'granted' = (
           SELECT kind FROM payment_ledger
           WHERE payment_id = p.id AND kind IN ('granted', 'revoked')
           ORDER BY seq DESC LIMIT 1)),
       (subscriber_count, paying_count) = (
         SELECT COUNT(DISTINCT subscriber_id), COUNT(DISTINCT iif(is_counted, subscriber_id, NULL))
         FROM subscriptions s
         WHERE s.caller_id = callers.caller_id AND s.status = 'active')`,
  );
  await query(
    db,
    'INSERT INTO active_mints (mint) SELECT DISTINCT token_mint FROM calls WHERE ended_at IS NULL',
  );
  return changed.length;
}

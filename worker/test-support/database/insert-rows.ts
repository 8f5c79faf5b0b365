import { testEnv } from '../test-app.ts';

type Row = Readonly<Record<string, string | number | null>>;

/** Default values of columns by table. */
const DEFAULTS = {
  users: ({ id = '' }) => ({
    x_user_id: id,
    twitter_handle: id,
    first_name: 'First',
    last_name: 'Last',
    created_at: 1,
    updated_at: 1,
  }),
  callers: ({ caller_id: id = '' }) => ({ search_text: id, created_at: 1, updated_at: 1 }),
  calls: ({ id = '' }) => ({
    token_mint: id,
    token_symbol: id,
    token_name: 'Token',
    entry_price: '1',
    called_at: 1,
  }),
  subscriptions: () => ({ starts_at: 1, status: 'active', created_at: 1 }),
  telegram_chats: () => ({ title: 'Alpha' }),
  chat_members: () => ({ name: 'Tele', status: 'in', since: 0 }),
} satisfies Record<string, (row: Row) => Row>;

/** Inserts rows directly, without the rows derived from them (`addDerivedRows`). */
export async function insertRows(table: keyof typeof DEFAULTS, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const filled: readonly Row[] = rows.map((row) => ({ ...DEFAULTS[table](row), ...row }));
  const columns = [...new Set(filled.flatMap((row) => Object.keys(row)))];
  const values = columns.map((column) => `value ->> '${column}'`);
  await testEnv.DB.prepare(
    `INSERT INTO ${table} (${columns.join()}) SELECT ${values.join()} FROM json_each(?)`,
  )
    .bind(JSON.stringify(filled))
    .run();
}

/** Inserts users who are callers. */
export async function insertCallers(ids: readonly string[]): Promise<void> {
  await insertRows(
    'users',
    ids.map((id) => ({ id })),
  );
  await insertRows(
    'callers',
    ids.map((id) => ({ caller_id: id })),
  );
}

import { getTableName } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { DATA_EXPORTS, EXPORT_PAGE_SIZE } from '#schema/constants/people.ts';
import type { ExportedData } from '#schema/contracts/account.ts';
import { factsOf } from '#schema/tables/table.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createPaidCaller, endCall, makeCall, MINTS, proveWallet } from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { runScript } from '#test/database/run-script.ts';
import { pay, openIntent } from '#test/payments/payments.ts';
import { connectTelegram } from '#test/messages/telegram.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';
import { columnAt } from './own-rows.repository.ts';
import { exportSections, notExported } from './export.repository.ts';

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

type Rows = Record<string, Record<string, unknown>[]>;

const pathOf = (place: object) => `/api/user/export?${new URLSearchParams({ ...place })}`;
const download = (person: Person, place: object = {}) => person.get(pathOf(place));

/** Reads all parts of an export, as the browser does. */
async function partsOf(person: Person): Promise<ExportedData[]> {
  const parts: ExportedData[] = [];
  for (let place: ExportedData['next'] = {}; place !== null; place = parts.at(-1)?.next ?? null) {
    parts.push(await readResponse<ExportedData>(download(person, place)));
  }
  return parts;
}

async function exportOf(person: Person): Promise<Rows> {
  const rows: Rows = {};
  for (const { sections } of await partsOf(person)) {
    for (const [name, more] of Object.entries(sections)) rows[name] = [...(rows[name] ?? []), ...more];
  }
  return rows;
}

it('the sections of an export cover every table and column, except those with a stated reason', async () => {
  const tables = await query<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'callers\\_search\\_%' ESCAPE '\\'
        AND name <> 'd1_migrations'`,
  );
  const all = exportSections();
  const reasons = notExported();
  for (const { name } of tables) {
    const sections = all.filter(({ table }) => getTableName(table) === name);
    const isLeftOut = name in reasons;
    expect([name, sections.length > 0, isLeftOut]).toEqual([name, !isLeftOut, isLeftOut]);
    const columns = await query<{ name: string }>('SELECT name FROM pragma_table_xinfo(?)', name);
    for (const section of sections) {
      const withheld = Object.entries(factsOf(section.table).columns)
        .filter(([, { treatment }]) => treatment === 'withhold')
        .map(([key]) => columnAt(section.table, key).name);
      expect([...section.columns, ...withheld].toSorted()).toEqual(
        columns.map((each) => each.name).toSorted(),
      );
    }
  }
});

it('a caller’s export includes their former handles', async () => {
  const { caller } = await createPaidCaller(app, { handle: 'export_before' });
  await control('POST', '/x/rename', { handle: 'export_before', newHandle: 'export_after' });
  await app.signIn('export_after');
  const { log_entries: entries = [] } = await exportOf(caller);
  expect(entries.map(({ text }) => JSON.parse(String(text)) as unknown)).toMatchObject([
    { handle: 'export_before' },
    { handle: 'export_after' },
  ]);
});

it('an export has every row about the user, and may not be cached', async () => {
  const { caller } = await createPaidCaller(app, { handle: 'own_caller' });
  const { caller: other } = await createPaidCaller(app, { handle: 'other_caller' });
  const payer = await createFundedWallet(5);
  await proveWallet(caller, payer);
  await pay({ person: caller, payer, callerId: other.id });
  await openIntent(caller, other.id);
  const follower = await app.signIn('paying_follower');
  await pay({ person: follower, callerId: caller.id });
  await readResponse(caller.patch('/api/user/profile', { bio: 'CANARY bio' }));
  const call = await makeCall({ caller, mint: MINTS.BONK, price: 1, thesis: 'CANARY thesis' });
  await readResponse(caller.post('/api/telegram/send-update', { callId: call.id, message: 'CANARY update' }));
  await endCall({ caller, call, price: 2 });
  const response = await download(caller);
  expect(response.headers.get('Cache-Control')).toBe('private, no-store');
  const text = await response.text();
  for (const canary of ['CANARY bio', 'CANARY thesis', 'CANARY update']) expect(text).toContain(canary);
  expect(JSON.parse(text)).toMatchObject({ head: { not_exported: notExported() }, next: null });
  const exported = await exportOf(caller);

  const rows = await readDatabase();
  const own = (table: string, column: string) =>
    rows[table]?.filter((row) => row[column] === caller.id).length;
  expect(
    Object.fromEntries(exportSections().map(({ name }) => [name, exported[name]?.length])),
  ).toMatchObject({
    users: 1,
    callers: 1,
    acceptances: 3,
    sessions: own('sessions', 'user_id'),
    devices: 1,
    wallets: 2,
    calls: 1,
    call_updates: 1,
    call_events: own('call_events', 'caller_id'),
    subscriptions: 1,
    subscriptions_to_you: 1,
    payment_intents: 2,
    payment_broadcasts: 1,
    payments: 1,
    payments_to_you: 1,
    payment_ledger: 1,
    payout_changes: 1,
  });
  expect(text).not.toContain('other_caller');
  expect(text).not.toContain('paying_follower');
});

it('an export contains no hashes of session and device tokens', async () => {
  const person = await app.signIn('careful');
  await connectTelegram(app, person);
  const text = JSON.stringify(await partsOf(person));
  const { sessions = [], devices = [], telegram_links: links = [] } = await readDatabase();
  const secrets = [...sessions, ...devices].map((row) => String(row['token_hash']));
  expect(secrets.length).toBeGreaterThan(1);
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).toContain(String(links[0]?.['chat_id']));
});

it('an export contains a payment that bought nothing, but not the operator’s note about it', async () => {
  const person = await app.signIn('unlucky');
  await query(
    `INSERT INTO payment_orphans
       (signature, reason, user_id, payer_address, platform_lamports, slot, paid_at, found_at, resolved_at, note)
     VALUES ('orphan', 'payments.missing_reference', ?, 'payer', 200000, 1, 1, 1, 2, 'a reason for operators')`,
    person.id,
  );
  const parts = await partsOf(person);
  expect(JSON.stringify(parts)).not.toContain('a reason for operators');
  expect(parts.flatMap(({ sections }) => sections['payment_orphans'] ?? [])).toMatchObject([
    { signature: 'orphan', user_id: person.id, resolved_at: 2 },
  ]);
});

it('an export reads a long list page by page, without gaps or repetitions', async () => {
  const { caller } = await createPaidCaller(app);
  const count = 2 * EXPORT_PAGE_SIZE + 1;
  await runScript(
    `INSERT INTO payout_changes (caller_id, new_address, at) SELECT '${caller.id}', i, i / 3 FROM n;`,
    { count },
  );
  const { payout_changes: changes = [] } = await exportOf(caller);
  const before = await query('SELECT * FROM payout_changes WHERE caller_id = ?', caller.id);
  expect(changes.length).toBe(before.length);
  expect(new Set(changes.map((row) => row['seq'])).size).toBe(before.length);
});

it('an export is rate-limited, and refuses an invalid section or cursor', async () => {
  const person = await app.signIn('eager');
  for (const place of [{ section: 'unknown' }, { section: 'calls', cursor: 'x' }]) {
    await expectRefusal(download(person, place), 'request.invalid');
  }
  const { burst, everyMs } = DATA_EXPORTS;
  const now = app.clock.now();
  await query(
    'INSERT INTO attempts (action, person, full_at) VALUES (?, ?, ?)',
    'account.export',
    person.id,
    now + burst * everyMs,
  );
  await expectRefusal(download(person), 'account.too_many_exports');
  await app.advance(everyMs);
  await exportOf(person);
});

import { getTableColumns, type Table } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { callUpdates } from '#schema/tables/call-updates.ts';
import { calls, priceQuotes } from '#schema/tables/calls.ts';
import { readResponse } from '#test/responses.ts';
import { createCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

// Database triggers refuse every change of a published call.

let app: TestApp;
let caller: Person;
let active: TokenCall;
let ended: TokenCall;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
  active = await makeCall({
    caller,
    mint: MINTS.WIF,
    price: 2,
    thesis: 'The hat stays on.',
    targetPrice: '3',
    stopPrice: '1',
  });
  await readResponse(caller.post('/api/telegram/send-update', { callId: active.id, message: 'Still on.' }));
  const other = await makeCall({ caller, mint: MINTS.JUP, price: 1 });
  await app.advance(MINUTE_MS);
  ended = await endCall({ caller, call: other, price: 2 });
});

/** Asserts that a statement fails with this message and changes nothing. */
async function expectRefused(
  message: string | RegExp,
  statement: string,
  ...values: unknown[]
): Promise<void> {
  const before = await readDatabase();
  await expect(query(statement, ...values)).rejects.toThrow(message);
  expect(await readDatabase()).toEqual(before);
}

const another: Record<string, string | number> = {
  id: 'another',
  caller_id: 'another',
  token_mint: MINTS.BONK,
  called_at: 1,
  is_paid_promotion: 1,
  ended_at: 9e15,
  change_percent: 900,
  peak_at: 9e15,
  is_caller_verified: 1,
};
/** Values that the call doesn't have in this column. */
async function otherValues(column: string, id: string): Promise<(string | number | null)[]> {
  const [row] = await query(`SELECT ${column} AS value FROM calls WHERE id = ?`, id);
  return [another[column] ?? '9', null].filter((value) => value !== row?.['value']);
}

const written = [
  'end_price',
  'ended_at',
  'change_percent',
  'peak_price',
  'peak_at',
  'uncounted_gain_reason',
  'automatic_end',
  'is_caller_verified',
];
/** Written once, minutes after the opening or the end; the archive adds entries months later. */
const recorded = ['follower_rule', 'follower_ppm', 'sol_ppm', 'copied', 'is_late', 'archived_entries'];

const columnsOf = (table: Table) =>
  Object.values(getTableColumns(table)).flatMap(({ name, generated }) => (generated ? [] : [name]));
/** All other columns, so that a new column counts as fixed unless it is listed above. */
const fixed = columnsOf(calls).filter((name) => ![...written, ...recorded].includes(name));
const INSERTS = ['INSERT', 'INSERT OR REPLACE', 'INSERT OR IGNORE', 'REPLACE'];

it('the database refuses to change the follower result of a call', async () => {
  await query(
    "UPDATE calls SET follower_rule = 'marks', follower_ppm = 5, sol_ppm = 5 WHERE id = ?",
    ended.id,
  );
  for (const change of [
    'follower_ppm = 6',
    'sol_ppm = 6',
    "copied = '{}'",
    "follower_rule = 'gain_without_mark', follower_ppm = NULL, sol_ppm = NULL",
  ]) {
    await expectRefused(
      'a follower result is written once',
      `UPDATE calls SET ${change} WHERE id = ?`,
      ended.id,
    );
  }
});

it('the database refuses to remove the late flag of a call', async () => {
  await query('UPDATE calls SET is_late = 1 WHERE id = ?', ended.id);
  await expectRefused('a late call stays late', 'UPDATE calls SET is_late = 0 WHERE id = ?', ended.id);
});

it('the database refuses to forget an archived log entry of a call', async () => {
  await query("UPDATE calls SET archived_entries = '[7]' WHERE id = ?", ended.id);
  await query("UPDATE calls SET archived_entries = '[7,9]' WHERE id = ?", ended.id);
  for (const ids of [null, '[7]', '[7,90]', '[9,7]']) {
    await expectRefused(
      'archived entries of a call are only added',
      'UPDATE calls SET archived_entries = ? WHERE id = ?',
      ids,
      ended.id,
    );
  }
});

it('the database refuses to change the published fields of an active or ended call', async () => {
  for (const column of fixed) {
    for (const { id } of [active, ended]) {
      for (const value of await otherValues(column, id)) {
        await expectRefused('never changed', `UPDATE calls SET ${column} = ? WHERE id = ?`, value, id);
      }
    }
  }
});

it('the database refuses to change the result of an ended call, or to reopen the call', async () => {
  for (const column of written) {
    for (const value of await otherValues(column, ended.id)) {
      await expectRefused(
        /an ended call is never changed|the peak of a call never falls/,
        `UPDATE calls SET ${column} = ? WHERE id = ?`,
        value,
        ended.id,
      );
    }
  }
  await expectRefused(
    'an ended call is never changed',
    'UPDATE calls SET end_price = NULL, ended_at = NULL, change_percent = NULL WHERE id = ?',
    ended.id,
  );
});

it('the database refuses to delete or overwrite a call', async () => {
  const columns = 'id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at';
  for (const { id, tokenMint } of [active, ended]) {
    await expectRefused('FOREIGN KEY', 'DELETE FROM calls WHERE id = ?', id);
    for (const insert of INSERTS) {
      await expectRefused(
        'calls are never written over',
        `${insert} INTO calls (${columns}) VALUES (?, ?, ?, 'X', 'X', '0.01', 1)`,
        id,
        caller.id,
        tokenMint,
      );
    }
  }
});

it('the database refuses to lower the peak of a call', async () => {
  const setPeak = 'UPDATE calls SET peak_price = ?, peak_at = ? WHERE id = ?';
  for (const price of ['2.5', '9', '10', '10']) await query(setPeak, price, app.clock.now(), active.id);
  for (const price of ['9', '9.999', null]) {
    await expectRefused('the peak of a call never falls', setPeak, price, app.clock.now(), active.id);
  }
});

it('the database refuses to add, change or delete quotes of a call', async () => {
  for (const column of columnsOf(priceQuotes)) {
    await expectRefused('quotes are never changed', `UPDATE price_quotes SET ${column} = '1'`);
  }
  await expectRefused('quotes are never deleted', 'DELETE FROM price_quotes');
  for (const insert of INSERTS) {
    for (const source of ['jupiter', 'another']) {
      await expectRefused(
        'quotes are never written over',
        `${insert} INTO price_quotes (call_id, side, source, price, is_recorded, quoted_at)
           VALUES (?, 'open', ?, '9', 1, 1)`,
        active.id,
        source,
      );
    }
  }
});

it('the database refuses to change or overwrite the updates of a call', async () => {
  for (const column of columnsOf(callUpdates)) {
    await expectRefused('updates are never changed', `UPDATE call_updates SET ${column} = '1'`);
  }
  for (const insert of INSERTS) {
    await expectRefused(
      'updates are never written over',
      `${insert} INTO call_updates (id, call_id, message, created_at)
         SELECT id, call_id, 'Something else.', created_at
         FROM call_updates`,
    );
  }
});

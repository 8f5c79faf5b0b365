import { beforeEach, describe, expect, it } from 'vitest';
import { LOG_IMPORTED_CALLS, MAX_UPDATES_PER_CALL, MINUTE_MS } from '#schema/constants.ts';
import { commit } from '../../shared/log-entries.ts';
import { query } from '../../test-support/database/database.ts';
import { interceptDatabase } from '../../test-support/database/intercept-database.ts';
import { appendEvents, endOf, eventOf, readLog } from '../../test-support/log.ts';
import { createTestApp, testEnv, type TestApp } from '../../test-support/test-app.ts';
import { CALLS_PER_RUN } from './log-import.service.ts';

const START = 1_700_000_000_000;
let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
  await query(
    `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
     VALUES ('caller', 'x', 'caller', 'Cal', 'Ler', 1, 1)`,
  );
  await query(
    "INSERT INTO callers (caller_id, search_text, created_at, updated_at) VALUES ('caller', '', 1, 1)",
  );
});

interface OldCall {
  readonly id: string;
  readonly isEnded?: boolean;
  readonly thesis?: string;
}

/** Writes calls as the version before the log did. */
async function insertCalls(...calls: readonly OldCall[]): Promise<void> {
  await query(
    `INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, thesis, end_price,
       ended_at, change_percent)
     SELECT value ->> 'id', 'caller', 'mint-' || (value ->> 'id'), value ->> 'id', 'Token', '1', ?2, value ->> 'thesis',
       iif(value ->> 'isEnded', '2', NULL), iif(value ->> 'isEnded', ?2 + ?3, NULL), iif(value ->> 'isEnded', 100, NULL)
     FROM json_each(?1)`,
    JSON.stringify(calls),
    START,
    MINUTE_MS,
  );
}

const end = (id: string) =>
  query("UPDATE calls SET end_price = '3', ended_at = ?, change_percent = 200 WHERE id = ?", START + 9, id);
const importCalls = () => app.services.logImport.importCalls();
const rows = () =>
  query<{ call_id: string; kind: string; content: string; salt: string | null; text_salt: string | null }>(
    'SELECT call_id, kind, content, salt, text_salt FROM log_entries WHERE call_id IS NOT NULL ORDER BY id',
  );
const kinds = async () => (await rows()).map(({ call_id, kind }) => `${kind} ${call_id}`);

describe('the import of older calls', () => {
  it('adds an ended call as one entry, which opens what was never sealed', async () => {
    await insertCalls({ id: 'old', isEnded: true, thesis: 'Because.' });
    await query(
      "INSERT INTO price_quotes (call_id, side, source, price, is_recorded, quoted_at) VALUES ('old', 'open', 'jupiter', '1', 1, 5)",
    );
    expect(await importCalls()).toBe(1);
    await app.services.logSequencer.sequence();
    const [ended] = await readLog(app);
    const [row] = await rows();
    expect(ended).toMatchObject({
      kind: 'ended',
      number: 1,
      content: { call: 'old', kind: 'ended', endPrice: '2', time: START + MINUTE_MS, imported: true },
      reveals: [
        {
          content: {
            call: 'old',
            kind: 'opened',
            mint: 'mint-old',
            time: START,
            imported: true,
            thesis: commit(row?.text_salt ?? '', 'Because.'),
          },
        },
      ],
    });
    expect(ended?.content).not.toHaveProperty('opening');
    const [reveal = {}] = (ended?.['reveals'] ?? []) as object[];
    expect(Object.keys(reveal)).toEqual(['content']);
  });

  it('seals an active call with its updates, and the call then ends like any other', async () => {
    await insertCalls({ id: 'active' });
    await query(
      "INSERT INTO call_updates VALUES ('second', 'active', 'Two.', 20), ('first', 'active', 'One.', 10)",
    );
    expect(await importCalls()).toBe(1);
    const before = await rows();
    expect(before.map(({ kind }) => kind)).toEqual(['opened', 'updated', 'updated']);
    expect(before.every(({ salt }) => salt !== null)).toBe(true);
    const [, one] = before;
    expect(JSON.parse(one?.content ?? '')).toEqual({
      call: 'active',
      imported: true,
      kind: 'updated',
      text: commit(one?.text_salt ?? '', 'One.'),
      time: 10,
    });
    expect(await importCalls()).toBe(0);
    await end('active');
    expect(await importCalls()).toBe(1);
    await app.services.logSequencer.sequence();
    const ended = (await readLog(app)).find(({ kind }) => kind === 'ended');
    expect(ended).toMatchObject({ content: { endPrice: '3' } });
    expect(ended?.content).not.toHaveProperty('imported');
    expect(ended?.['reveals']).toHaveLength(3);
  });

  it('adds the name of a caller who has none in the log, once, also if all calls are in it', async () => {
    await insertCalls({ id: 'old', isEnded: true }, { id: 'new' });
    await appendEvents(eventOf('old'), endOf('old'), eventOf('new'));
    expect(await importCalls()).toBe(0);
    expect(await importCalls()).toBe(0);
    await app.services.logSequencer.sequence();
    const names = (await readLog(app)).filter(({ kind }) => kind === 'name');
    const [row] = await query<{ text: string; text_salt: string }>(
      "SELECT text, text_salt FROM log_entries WHERE kind = 'name'",
    );
    expect(JSON.parse(row?.text ?? '')).toEqual({ handle: 'caller', name: 'Cal Ler' });
    const name = commit(row?.text_salt ?? '', row?.text ?? '');
    expect(names).toMatchObject([{ caller: 'caller', content: { name, time: app.clock.now() } }]);
  });

  it('adds no name of a deleted account', async () => {
    await insertCalls({ id: 'old', isEnded: true });
    await query('UPDATE users SET deleted_at = 2');
    expect(await importCalls()).toBe(1);
    expect(await query("SELECT 1 FROM log_entries WHERE kind = 'name'")).toEqual([]);
  });

  it('takes only as many updates of a call as can be opened at its end', async () => {
    await insertCalls({ id: 'active' });
    await query(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= ${MAX_UPDATES_PER_CALL})
       INSERT INTO call_updates SELECT i, 'active', 'Text ' || i, i FROM n`,
    );
    await importCalls();
    expect(await rows()).toHaveLength(1 + MAX_UPDATES_PER_CALL);
  });

  it('leaves out calls that are in the log', async () => {
    await insertCalls({ id: 'a' }, { id: 'b' });
    await appendEvents(eventOf('a'));
    expect(await importCalls()).toBe(1);
    expect(await kinds()).toEqual(['opened a', 'opened b']);
  });

  it('adds a call once, however often it runs and however many runs there are', async () => {
    await insertCalls(
      ...Array.from({ length: 30 }, (_, index) => ({ id: `c${index}`, isEnded: index % 2 === 0 })),
    );
    await Promise.all([importCalls(), importCalls()]);
    await importCalls();
    await importCalls();
    const written = await kinds();
    expect(written).toHaveLength(30);
    expect(new Set(written).size).toBe(30);
  });

  it('reads and adds a limited number of calls per run, oldest first, and later begins again', async () => {
    const ids = Array.from({ length: CALLS_PER_RUN + 50 }, (_, index) => `c${index}`);
    await insertCalls(...ids.map((id) => ({ id, isEnded: true })));
    expect(await importCalls()).toBe(LOG_IMPORTED_CALLS);
    expect(await kinds()).toEqual(ids.slice(0, LOG_IMPORTED_CALLS).map((id) => `ended ${id}`));
    expect(await importCalls()).toBe(LOG_IMPORTED_CALLS);
    expect(await importCalls()).toBe(ids.length - 2 * LOG_IMPORTED_CALLS);
    expect(await importCalls()).toBe(0);
    await insertCalls({ id: 'late' });
    expect((await importCalls()) ?? 0).toBeLessThanOrEqual(1);
    await importCalls();
    expect((await kinds()).at(-1)).toBe('opened late');
  });

  it('adds a call that ends in the meantime as an ended one, in a later run', async () => {
    await insertCalls({ id: 'a' });
    let hasEnded = false;
    const DB = interceptDatabase(testEnv.DB, async ({ sql }, run) => {
      if (!hasEnded && sql.includes('INSERT INTO log_entries')) {
        hasEnded = true;
        await end('a');
      }
      return run();
    });
    const racing = await createTestApp({ bindings: { DB } });
    expect(await racing.services.logImport.importCalls()).toBe(0);
    expect(await importCalls()).toBe(1);
    expect(await kinds()).toEqual(['ended a']);
  });

  it('continues after a run that stopped at any point', async () => {
    await insertCalls(...Array.from({ length: 45 }, (_, index) => ({ id: `c${index}` })));
    for (let stopAt = 0; stopAt < 12; stopAt++) {
      let operations = 0;
      const DB = interceptDatabase(testEnv.DB, async (_, run) => {
        if (operations++ === stopAt) throw new Error('Network connection lost.');
        return run();
      });
      const stopping = await createTestApp({ bindings: { DB } });
      await stopping.services.logImport.importCalls().catch(() => undefined);
      await app.advance(MINUTE_MS);
    }
    while ((await importCalls()) !== 0);
    expect(new Set(await kinds()).size).toBe(45);
    expect(await rows()).toHaveLength(45);
  });
});

import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { query } from '#test/database/database.ts';
import { appendEvents, endOf, eventOf } from '#test/log.ts';
import { testEnv } from '#test/test-app.ts';
import { fromBase64 } from '../../shared/base64.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { createDatabase, runBatch } from '../../shared/database.ts';
import { commit, createSalt, hashQuotes, type LogEvent } from './log-entries.ts';
import { appendLogEntry } from './log-entries.repository.ts';

const CALL = 'call-1';
const event = (changes: Partial<LogEvent> = {}) => eventOf(CALL, changes);
const ended = (changes: Partial<LogEvent> = {}) => endOf(CALL, changes);

interface Row {
  readonly id: number;
  readonly number: number;
  readonly kind: string;
  readonly content: string;
}

const rows = () => query<Row>('SELECT * FROM log_entries ORDER BY id');

/** Returns the rows that were written. */
async function append(...events: readonly LogEvent[]): Promise<Row[]> {
  const before = (await rows()).length;
  await appendEvents(...events);
  return (await rows()).slice(before);
}

it('a log entry gets the next id, the caller’s next number and values that the database computes', async () => {
  await append(event());
  const [second] = await append(
    event({
      callId: 'b',
      subjectId: 'b',
      content: { call: 'b', unranked: sql`'one_' || 'source'`, stop: null },
    }),
  );
  expect(second).toMatchObject({
    id: 3,
    caller_id: 'caller',
    number: 2,
    kind: 'opened',
    at: 1_800_000_000_000,
  });
  expect(JSON.parse(second?.content ?? '')).toEqual({
    v: 1,
    call: 'b',
    kind: 'opened',
    stop: null,
    time: 1_800_000_000_000,
    unranked: 'one_source',
  });
});

it('a log entry isn’t written if its condition fails', async () => {
  const db = createDatabase(testEnv.DB);
  expect(await runBatch(db, [appendLogEntry(event(), sql`1 = 0 OR NULL`)])).toEqual([[]]);
  expect(await rows()).toEqual([]);
});

it('the log has one opening, one end and one record of marks per call, and updates only of an open call', async () => {
  const update = (id: string) => event({ kind: 'updated', subjectId: id });
  const act = (id: string) => event({ kind: 'hidden', salt: null, subjectId: id });
  const marked = () => event({ kind: 'marked', salt: null });
  const written = await append(
    update('too early'),
    ended(),
    event(),
    event(),
    update('in time'),
    marked(),
    ended(),
    ended(),
    act('before the marks'),
    update('too late'),
    event(),
    marked(),
    marked(),
    act('after the marks'),
    ended(),
  );
  const kinds = ['opened', 'updated', 'ended', 'hidden', 'marked', 'hidden'];
  expect(written.map(({ kind }) => kind)).toEqual(kinds);
  expect(written.map(({ id, number }) => [id, number])).toEqual(
    kinds.map((_, index) => [index + 2, index + 1]),
  );
});

it('a log entry’s conditions ignore another caller’s call with the same id', async () => {
  const other = { callerId: 'other' };
  expect(await append(event(), ended(other), event(other), ended(other))).toHaveLength(3);
});

it.each([
  [
    'a gap between ids',
    `INSERT INTO log_entries (id, kind, subject_id, content, at) VALUES (9, 'keys', '', '{"v":1}', 1)`,
  ],
  [
    'a replaced entry',
    `REPLACE INTO log_entries (id, kind, subject_id, content, at) VALUES (2, 'keys', '', '{"v":1}', 1)`,
  ],
  [
    'a second entry with the same number',
    `REPLACE INTO log_entries (caller_id, number, kind, subject_id, content, at)
     VALUES ('caller', 1, 'named', '', '{"v":1}', 1)`,
  ],
  [
    'a first entry without keys',
    `INSERT INTO log_entries (id, caller_id, number, kind, subject_id, content, at)
     VALUES (1, 'other', 1, 'named', '', '{"v":1}', 1)`,
  ],
  [
    'an entry without a caller',
    `INSERT INTO log_entries (id, kind, subject_id, content, at) VALUES (3, 'named', '', '{"v":1}', 1)`,
  ],
  ['a changed entry', "UPDATE log_entries SET content = '{}'"],
  ['a changed text', "UPDATE log_entries SET text = 'other'"],
  ['a deletion', 'DELETE FROM log_entries'],
  [
    'content that isn’t JSON',
    "INSERT INTO log_entries (kind, subject_id, content, at) VALUES ('keys', '', '{', 1)",
  ],
])('the database refuses %s in the log', async (_, statement) => {
  await append(event({ kind: 'named', callId: null, salt: null, text: 'text', textSalt: createSalt() }));
  await expect(query(statement)).rejects.toThrow(/log|CHECK|malformed JSON/);
  expect(await query('SELECT text FROM log_entries')).toEqual([{ text: 'text' }]);
});

it.each([
  ['an older version', 2, { v: 1 }],
  ['a version that wasn’t announced', 2, { v: 3 }],
  ['a version between announced ones', 4, { v: 3 }],
  ['a version that it announces itself', 2, { v: 3, version: 3 }],
  ['no version', 2, { v: null }],
])('the database refuses a log entry with %s', async (_, announced, content) => {
  const append = (id: number, kind: string, content: object) =>
    query(
      'INSERT INTO log_entries (id, kind, subject_id, content, at) VALUES (?, ?, ?, ?, 1)',
      id,
      kind,
      kind,
      JSON.stringify(content),
    );
  await append(1, 'keys', { v: 1 });
  await append(2, 'format', { v: 1, version: 2 });
  await append(3, 'format', { v: 1, version: announced });
  await append(4, 'keys', { v: 2 });
  await expect(append(5, 'format', content)).rejects.toThrow('its version rises only as announced');
});

it('erasing a log entry’s text deletes only the text and its salt', async () => {
  await append(event({ kind: 'named', callId: null, salt: null, text: 'text', textSalt: createSalt() }));
  const [before] = await query('SELECT * FROM log_entries');
  await query('UPDATE log_entries SET text = NULL, text_salt = NULL');
  expect(await query('SELECT * FROM log_entries')).toEqual([{ ...before, text: null, text_salt: null }]);
});

it('a log entry’s commitment is SHA-256 of the salt and the content in UTF-8', async () => {
  const salt = createSalt();
  const content = 'Größe 🚀';
  const bytes = new Uint8Array([...fromBase64(salt), ...new TextEncoder().encode(content)]);
  const expected = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  expect(fromBase64(salt)).toHaveLength(32);
  expect(fromBase64(commit(salt, content))).toEqual(expected);
});

it('createSalt returns a new salt each time', () => {
  expect(new Set(Array.from({ length: 1_000 }, createSalt)).size).toBe(1_000);
});

it('a log entry’s commitment to quotes doesn’t depend on their order', () => {
  const [one, other] = ['jupiter', 'dexscreener'].map((source) => ({
    source,
    price: '0.1',
    sentPrice: null,
    quotedAt: 1,
    liquidityUsd: 10_000.5,
    failure: null,
  }));
  if (!one || !other) throw new Error('unreachable');
  expect(hashQuotes([one, other])).toBe(hashQuotes([other, one]));
  expect(hashQuotes([one])).not.toBe(hashQuotes([other]));
  for (const change of [{ sentPrice: '1' }, { failure: 'undated' }]) {
    expect(hashQuotes([{ ...one, ...change }])).not.toBe(hashQuotes([one]));
  }
});

it('canonicalJson writes the examples of RFC 8785', () => {
  // Section 3.2.3 sorts these names by their UTF-16 units; 3.2.2 has the numbers and texts.
  const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
  const sorted = Object.keys(
    JSON.parse(canonicalJson(Object.fromEntries(names.map((name) => [`.${name}`, 1])))) as object,
  );
  expect(sorted).toEqual(
    ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'].map((name) => `.${name}`),
  );
  expect(
    canonicalJson({
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    }),
  ).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

it('canonicalJson writes the same text again after its text is parsed', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
      const text = canonicalJson(value as never);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
      expect(text).not.toContain('\n');
    }),
  );
});

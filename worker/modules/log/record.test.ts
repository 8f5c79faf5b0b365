import { beforeEach, expect, it } from 'vitest';
import { LOG_CHECKPOINT_MAX_ENTRIES, MINUTE_MS } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { commit } from '../../shared/log-entries.ts';
import { readResponse } from '../../test-support/responses.ts';
import { createCaller, endCall, makeCall, MINTS } from '../../test-support/people/callers.ts';
import { query } from '../../test-support/database/database.ts';
import {
  appendEvents,
  checkRecord,
  eventOf,
  readCheckpoint,
  readLog,
  readRecord,
} from '../../test-support/log.ts';
import { createTestApp, type Person, type TestApp } from '../../test-support/test-app.ts';

let app: TestApp;
let caller: Person;
let active: TokenCall;

/** Adds everything to the log. */
const log = () => app.services.logSequencer.sequence();

const others = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    eventOf(`other-${crypto.randomUUID()}`, { callerId: `other-${index % 50}` }),
  );

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
  active = await makeCall({ caller, mint: MINTS.WIF, price: 2, thesis: 'The secret hat.' });
  await readResponse(
    caller.post('/api/telegram/send-update', { callId: active.id, message: 'A secret update.' }),
  );
});

it('a caller’s record has all of the caller’s entries, and proves them and their leaf in the map', async () => {
  await log();
  for (let round = 0; round < 4; round++) {
    await appendEvents(...others(70), eventOf(`mine-${round}`, { callerId: caller.id }), ...others(30));
    await app.advance(MINUTE_MS);
    await app.services.logSequencer.sequence();
  }
  const entries = await readLog(app);
  const record = await readRecord(app, caller.id);
  checkRecord(record, await readCheckpoint(app));
  expect(record.entries.map(({ entry }) => entry)).toEqual(
    entries.filter((each) => each.caller === caller.id),
  );
  expect(record.entries.map(({ index }) => entries[index])).toEqual(record.entries.map(({ entry }) => entry));
  const maps = entries.flatMap(({ kind }, index) => (kind === 'map' ? [index] : []));
  expect(record.minutes.map(({ index }) => index)).toEqual(maps);
  expect(record.anchor).toBeNull();
});

it('the records of callers who share a leaf of the map are each provable', async () => {
  await appendEvents(...others(300));
  await log();
  const checkpoint = await readCheckpoint(app);
  for (let index = 0; index < 50; index += 7) {
    checkRecord(await readRecord(app, `other-${index}`), checkpoint);
  }
});

it('the record of a caller without entries proves that there are none', async () => {
  const newcomer = await createCaller(app, 'newcomer');
  await query('SELECT 1');
  await log();
  const record = await readRecord(app, newcomer.id);
  checkRecord(record, await readCheckpoint(app));
  expect(record.entries.filter(({ entry }) => entry['kind'] !== 'name')).toEqual([]);
});

it('a caller’s record hides an active call, and shows its texts as soon as its end is in the log', async () => {
  await log();
  const before = await (await app.request(`/log/callers/${caller.id}`)).text();
  for (const secret of [active.id, MINTS.WIF, 'hat', 'secret']) expect(before).not.toContain(secret);
  await app.advance(MINUTE_MS);
  await endCall({ caller, call: active, price: 3 });
  const soon = await readRecord(app, caller.id);
  expect(soon.texts.map(({ text }) => text)).not.toContain('The secret hat.');
  await log();
  const record = await readRecord(app, caller.id);
  const texts = record.texts.filter(({ text }) => text.includes('ecret'));
  expect(texts.map(({ text }) => text)).toEqual(['The secret hat.', 'A secret update.']);
  const content = JSON.stringify(record.entries.at(-1)?.entry);
  for (const { salt, text } of texts) expect(content).toContain(commit(salt, text));
  const sealed = record.entries
    .filter(({ entry }) => entry['kind'] === 'sealed')
    .map(({ entry }) => entry['number']);
  expect(texts.map(({ number }) => number)).toEqual(sealed);
});

it('a caller’s record leaves out texts that operators hid, and all texts of a hidden caller', async () => {
  await log();
  await endCall({ caller, call: active, price: 3 });
  await log();
  const textsOf = async () =>
    (await readRecord(app, caller.id)).texts.filter(({ text }) => text.includes('ecret'));
  await query('INSERT INTO hidden_texts VALUES (?, ?, 1)', 'thesis', active.id);
  expect((await textsOf()).map(({ text }) => text)).toEqual(['A secret update.']);
  await query('UPDATE users SET is_hidden = 1 WHERE id = ?', caller.id);
  expect(await textsOf()).toEqual([]);
});

it('GET of a caller’s record returns the usual 404 for people who aren’t callers and for unknown ids', async () => {
  await log();
  const follower = await app.signIn('follower');
  for (const id of [follower.id, crypto.randomUUID(), 'caller', "'"]) {
    const response = await app.request(`/log/callers/${encodeURIComponent(id)}`);
    expect([id, response.status, (await response.json<{ error: { code: string } }>()).error.code]).toEqual([
      id,
      404,
      'callers.not_found',
    ]);
  }
});

it('a caller’s record is refused with Retry-After while the log has no map of its newest entries', async () => {
  const refused = async () => {
    const response = await app.request(`/log/callers/${caller.id}`);
    return [response.status, response.headers.get('Retry-After')];
  };
  expect(await refused()).toEqual([503, '60']);
  await log();
  await appendEvents(...others(LOG_CHECKPOINT_MAX_ENTRIES));
  const { size } = await readCheckpoint(app);
  // The clock jumps, so that the run's time is over after one part.
  const { now } = app.clock;
  let calls = 0;
  Object.assign(app.clock, { now: () => now() + (calls++ > 1 ? 9 * MINUTE_MS : 0) });
  await app.services.logSequencer.sequence();
  Object.assign(app.clock, { now });
  expect((await readCheckpoint(app)).size).toBe(size + LOG_CHECKPOINT_MAX_ENTRIES);
  expect(await refused()).toEqual([503, '60']);
  await log();
  checkRecord(await readRecord(app, caller.id), await readCheckpoint(app));
});

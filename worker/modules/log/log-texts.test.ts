import { beforeEach, expect, it } from 'vitest';
import { LOG_TEXTS_ENTRIES } from '#schema/constants/log.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { LogText } from '#schema/contracts/log.ts';
import { commit, nameEvent } from './log-entries.ts';
import { createCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { appendEvents, readLog } from '#test/log.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';
import { createId } from '#worker/shared/ids.ts';

let app: TestApp;
let caller: Person;
let active: TokenCall;

const THESIS = 'The secret hat.';
const UPDATE = 'A secret update.';
const textsOf = (callerId: string) => readResponse<LogText[]>(app.request(`/log/texts/${callerId}`));
const textsOfCalls = async () =>
  (await textsOf(caller.id))
    .filter(({ name }) => name === 'thesis' || name === 'text')
    .map(({ text }) => text);

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
  active = await makeCall({ caller, mint: MINTS.WIF, price: 2, thesis: THESIS });
  await readResponse(caller.post('/api/telegram/send-update', { callId: active.id, message: UPDATE }));
});

it('GET /log/texts has names immediately, a call’s texts after its end, and no text that operators hid', async () => {
  const before = await (await app.request(`/log/texts/${caller.id}`)).text();
  for (const secret of [active.id, MINTS.WIF, 'hat', 'secret']) expect(before).not.toContain(secret);
  expect((JSON.parse(before) as LogText[]).map(({ number, name }) => [number, name])).toEqual([
    [1, 'handle'],
    [1, 'name'],
    [1, 'xId'],
  ]);
  await endCall({ caller, call: active, price: 3 });
  expect(await textsOfCalls()).toEqual([THESIS, UPDATE]);
  await query('INSERT INTO hidden_texts VALUES (?, ?, 1)', 'thesis', active.id);
  expect(await textsOfCalls()).toEqual([UPDATE]);
  await query('UPDATE users SET is_hidden = 1 WHERE id = ?', caller.id);
  await expectRefusal(app.request(`/log/texts/${caller.id}`), 'callers.not_found');
});

it('the texts and salts of GET /log/texts match the commitments in the log', async () => {
  await endCall({ caller, call: active, price: 3 });
  await app.services.logSequencer.sequence();
  const entries = await readLog(app);
  const ended = entries.find(({ kind }) => kind === 'ended');
  const reveals = ended?.['reveals'] as unknown as { number: number; content: Record<string, string> }[];
  const texts = await textsOf(caller.id);
  expect(texts).toHaveLength(5);
  for (const { number, name, salt, text } of texts) {
    const entry = entries.find((each) => each.caller === caller.id && each.number === number);
    const content = reveals.find((each) => each.number === number)?.content ?? entry;
    expect([name, content?.[name]]).toEqual([name, commit(salt, text)]);
  }
});

it('GET /log/texts has no texts of a deleted account', async () => {
  await endCall({ caller, call: active, price: 3 });
  await readResponse(caller.post('/api/user/deletion', { handle: caller.handle }));
  expect(await textsOf(caller.id)).toEqual([]);
});

it('GET /log/texts returns the texts of many entries in two pages', async () => {
  const names = Array.from({ length: LOG_TEXTS_ENTRIES }, (_, index) =>
    nameEvent({ callerId: caller.id, handle: `handle${index}`, name: 'Name', xId: '1', at: 1 }),
  );
  await appendEvents(...names);
  const first = await app.request(`/log/texts/${caller.id}`);
  const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('Link') ?? '') ?? [];
  expect(next).toBe(`/log/texts/${caller.id}?after=${LOG_TEXTS_ENTRIES}`);
  const second = await app.request(next);
  expect(second.headers.get('Link')).toBeNull();
  const texts = (await Promise.all([first, second].map((page) => page.json<LogText[]>()))).flat();
  expect(texts.filter(({ name }) => name === 'handle')).toHaveLength(LOG_TEXTS_ENTRIES + 1);
  expect(texts.at(-1)).toMatchObject({ number: LOG_TEXTS_ENTRIES + 3, name: 'xId' });
});

it('GET /log/texts returns 404 for people who aren’t callers and for unknown ids', async () => {
  const follower = await app.signIn('follower');
  for (const id of [follower.id, createId(), 'caller', "'"]) {
    await expectRefusal(app.request(`/log/texts/${encodeURIComponent(id)}`), 'callers.not_found');
  }
});

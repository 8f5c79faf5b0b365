import { beforeEach, expect, it } from 'vitest';
import {
  MAX_CALLS_PER_HOUR,
  CALL_AUTO_END_MS,
  FOLLOWER_RECORD_DELAY_MS,
  MARK_DELAY_MS,
  UNPRICED_END_MS,
} from '#schema/constants/market.ts';
import {
  MAX_UPDATES_PER_CALL,
  MAX_UPDATES_PER_WINDOW,
  UPDATES_WINDOW_MS,
} from '#schema/constants/messages.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { LogText } from '#schema/contracts/log.ts';
import type { OperatorAction } from '#schema/contracts/operators.ts';
import { expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { callBody, createCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { countRows } from '#test/database/count-rows.ts';
import { query } from '#test/database/database.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { act, createOperatedApp } from '#test/people/operators.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { commit } from './log-entries.ts';

interface Entry {
  readonly id: number;
  readonly caller_id: string;
  readonly kind: string;
  readonly call_id: string | null;
  readonly subject_id: string;
  readonly content: string;
  readonly salt: string | null;
  readonly text_salt: string | null;
  readonly text: string | null;
  readonly at: number;
}

const THESIS = 'To the moon 🚀';
const MESSAGE = 'Buy more.';
/** Maximum of rows read per log entry. */
/** Two of these ask whether the id or number was ever archived. */
const MAX_READ = 17;

/** The local X keeps its users between tests, so each test needs a new handle. */
let callers = 0;
let app: TestApp;
let operator: Person;
let operatorXId: string;
let caller: Person;
let call: TokenCall;

beforeEach(async () => {
  ({ app, operator, operatorXId } = await createOperatedApp());
  caller = await createCaller(app, `logged${++callers}`);
});

/** The salts of an opening's texts are stored by member. */
const thesisSaltOf = (entry: Entry | undefined): string =>
  (JSON.parse(entry?.text_salt ?? '{}') as { thesis?: string }).thesis ?? '';

/** All entries of callers. */
const readEntries = () => query<Entry>("SELECT * FROM log_entries WHERE kind <> 'keys' ORDER BY id");

/** Returns the entries that `run` adds to the log. */
async function logged(run: () => Promise<unknown>): Promise<Entry[]> {
  const before = (await readEntries()).length;
  await run();
  return (await readEntries()).slice(before);
}

const contentOf = (entry: Entry | undefined) =>
  JSON.parse(entry?.content ?? 'null') as Record<string, unknown>;
const requestCall = (mint: string = MINTS.WIF) =>
  caller.post('/api/token-calls', callBody({ caller, mint, entryPrice: '2' }));
const end = (id: string) => caller.patch(`/api/token-calls/${id}/end`);
const open = async () => {
  call = await makeCall({ caller, mint: MINTS.WIF, price: 2, thesis: THESIS, targetPrice: '3' });
};
const update = (message = MESSAGE) => caller.post('/api/telegram/send-update', { callId: call.id, message });
const updateId = async () => String((await query('SELECT id FROM call_updates'))[0]?.['id']);
const newHandle = () => `${caller.handle}_anew`;
const rename = () => control('POST', '/x/rename', { handle: caller.handle, newHandle: newHandle() });
const signInRenamed = async () => {
  await rename();
  await app.signIn(newHandle());
};
const loseHandle = async () => {
  await rename();
  await app.signIn(caller.handle);
};
const operate = (action: OperatorAction, subjectId: string, kind?: string) =>
  act(operator, { action, subjectId, ...(kind !== undefined && { kind }) });

interface Path {
  readonly title: string;
  readonly arrange?: () => Promise<unknown>;
  readonly run: () => Promise<unknown>;
  readonly kind: string;
  readonly isSealed?: boolean;
  /** Repeats the action, which must add no entry. Default: `run`. */
  readonly again?: () => Promise<unknown>;
}

const operatorPath = (action: OperatorAction, opposite?: OperatorAction): Path => ({
  title: action,
  ...(opposite && { arrange: () => operate(opposite, caller.id) }),
  run: () => operate(action, caller.id),
  kind: 'hidden',
});
const textPath = (kind: 'bio' | 'thesis' | 'update', when: 'active' | 'ended', isShown: boolean): Path => {
  const id = async () => ({ bio: caller.id, thesis: call.id, update: await updateId() })[kind];
  return {
    title: `${isShown ? 'show_text' : 'hide_text'} of ${kind} (call ${when})`,
    arrange: async () => {
      await readResponse(caller.patch('/api/user/profile', { bio: 'A bio.' }));
      await open();
      await readResponse(update());
      if (when === 'ended') await endCall({ caller, call, price: 3 });
      if (isShown) await operate('hide_text', await id(), kind);
    },
    run: async () => operate(isShown ? 'show_text' : 'hide_text', await id(), kind),
    kind: when === 'active' && kind !== 'bio' ? 'updated' : 'hidden',
    isSealed: when === 'active' && kind !== 'bio',
  };
};

const paths: readonly Path[] = [
  {
    title: 'opening a call',
    run: open,
    kind: 'opened',
    isSealed: true,
    again: () => expectRefusalWithoutTrace(() => requestCall(), 'calls.already_called'),
  },
  {
    title: 'sending an update',
    arrange: open,
    run: async () => readResponse(update()),
    kind: 'updated',
    isSealed: true,
  },
  {
    title: 'ending a call',
    arrange: open,
    run: () => endCall({ caller, call, price: 3 }),
    kind: 'ended',
    again: () => expectRefusalWithoutTrace(() => end(call.id), 'calls.already_ended'),
  },
  {
    title: 'the end at the time limit',
    arrange: open,
    run: async () => {
      await app.advance(CALL_AUTO_END_MS);
      await app.runJobs('calls');
    },
    kind: 'ended',
    again: () => app.services.automaticEnds.endDue(),
  },
  {
    title: 'the end without a price',
    arrange: async () => {
      await open();
      await app.advance(DAY_MS);
      await control('POST', '/prices', { mint: MINTS.WIF, price: null });
      await app.advance(MINUTE_MS);
      await app.runJobs('prices');
    },
    run: async () => {
      await app.advance(UNPRICED_END_MS);
      await app.runJobs('calls');
    },
    kind: 'ended',
    again: () => app.services.automaticEnds.endDue(),
  },
  {
    title: 'recording the marks of an ended call',
    arrange: async () => {
      await open();
      await endCall({ caller, call, price: 3 });
      await app.advance(FOLLOWER_RECORD_DELAY_MS);
    },
    run: () => app.services.followerResults.record(),
    kind: 'marked',
  },
  {
    title: 'deleting the account',
    run: async () => readResponse(caller.post('/api/user/deletion', { handle: caller.handle })),
    kind: 'deleted',
    again: () => app.runJobs('accounts'),
  },
  {
    title: 'signing in with another handle',
    run: signInRenamed,
    kind: 'named',
    again: () => app.signIn(newHandle()),
  },
  {
    title: 'losing a handle to somebody else',
    run: loseHandle,
    kind: 'named',
    again: () => app.signIn(caller.handle),
  },
  operatorPath('verify'),
  operatorPath('unverify', 'verify'),
  operatorPath('suspend'),
  operatorPath('unsuspend', 'suspend'),
  operatorPath('hide_caller'),
  operatorPath('show_caller', 'hide_caller'),
  ...(['bio', 'thesis', 'update'] as const).flatMap((kind) =>
    (['active', 'ended'] as const).flatMap((when) =>
      [false, true].map((isShown) => textPath(kind, when, isShown)),
    ),
  ),
];

it.each(paths)(
  '$title writes one log entry, even if repeated',
  async ({ arrange, run, kind, isSealed = false, again = run }) => {
    await arrange?.();
    const entries = await logged(run);
    expect(entries).toMatchObject([{ caller_id: caller.id, kind }]);
    expect(entries[0]?.salt !== null).toBe(isSealed);
    expect(contentOf(entries[0])['time']).toBe(entries[0]?.at);
    expect(await logged(again)).toEqual([]);
  },
);

it('a hidden bio and a new handle of a person who is no caller write no log entry', async () => {
  const person = await app.signIn('reader');
  await readResponse(person.patch('/api/user/profile', { bio: 'A bio.' }));
  const entries = await logged(async () => {
    await operate('hide_text', person.id, 'bio');
    await control('POST', '/x/rename', { handle: 'reader', newHandle: 'reader_anew' });
    await app.signIn('reader_anew');
  });
  expect(entries).toEqual([]);
});

it('a call that exceeds the hourly limit gets no log entry', async () => {
  const now = app.clock.now();
  for (let made = 1; made < MAX_CALLS_PER_HOUR; made++) {
    await insertRows('calls', [{ id: `call ${made}`, caller_id: caller.id, called_at: now }]);
  }
  const mints = [MINTS.WIF, MINTS.JUP, MINTS.BONK];
  for (const mint of mints) await control('POST', '/prices', { mint, price: 2 });
  const entries = await logged(async () => {
    const responses = await Promise.all(mints.map((mint) => requestCall(mint)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 429, 429]);
  });
  expect(entries).toHaveLength(1);
});

it('one log entry is written for three simultaneous requests to open, update or end a call', async () => {
  await control('POST', '/prices', { mint: MINTS.WIF, price: 2 });
  const opened = await logged(() => Promise.all([requestCall(), requestCall(), requestCall()]));
  expect(opened.map(({ kind }) => kind)).toEqual(['opened']);
  const id = opened[0]?.call_id ?? '';
  const send = () => caller.post('/api/telegram/send-update', { callId: id, message: MESSAGE });
  expect(await logged(() => Promise.all([send(), send(), send()]))).toHaveLength(1);
  expect(await logged(() => Promise.all([end(id), end(id), end(id)]))).toMatchObject([{ kind: 'ended' }]);
});

it('the log entry of a new call has its terms, and only a commitment of its thesis', async () => {
  const [entry] = await logged(open);
  expect(contentOf(entry)).toEqual({
    v: 1,
    kind: 'opened',
    time: Date.parse(call.callTimestamp),
    call: call.id,
    mint: MINTS.WIF,
    symbol: call.tokenSymbol,
    entryPrice: '2',
    target: '3',
    stop: null,
    isPaidPromotion: false,
    unranked: null,
    thesis: commit(thesisSaltOf(entry), THESIS),
    quotes: expect.stringMatching(/^[\w+/]{43}=$/),
  });
  expect(entry).toMatchObject({ call_id: call.id, subject_id: call.id, text: null });
  expect(JSON.stringify(entry)).not.toContain('moon');
});

it('the log entry of a new call has the reason why the call is unranked', async () => {
  await open();
  await endCall({ caller, call, price: 2 });
  const [entry] = await logged(() => makeCall({ caller, mint: MINTS.WIF, price: 2 }));
  expect(contentOf(entry)).toMatchObject({ unranked: 'repeated_mint', thesis: null, target: null });
  expect(entry?.text_salt).toBe(null);
});

it('the log entry of a call’s end has the values of the API response', async () => {
  await open();
  const [entry] = await logged(async () => {
    call = await endCall({ caller, call, price: 3 });
  });
  expect(contentOf(entry)).toEqual({
    v: 1,
    kind: 'ended',
    time: Date.parse(call.endTimestamp ?? ''),
    call: call.id,
    endPrice: '3',
    uncounted: call.uncountedGainReason,
    automatic: null,
    quotes: expect.stringMatching(/^[\w+/]{43}=$/),
  });
});

it('the log entry of a new handle commits to handle, name and X id with separate salts, and the row has the texts', async () => {
  const [entry] = await logged(signInRenamed);
  const texts = JSON.parse(entry?.text ?? '') as Record<string, string>;
  const salts = JSON.parse(entry?.text_salt ?? '') as Record<string, string>;
  expect(new Set(Object.values(salts)).size).toBe(3);
  const [user] = await query('SELECT x_user_id FROM users WHERE id = ?', caller.id);
  expect(texts).toEqual({
    handle: newHandle(),
    name: expect.any(String),
    xId: user?.['x_user_id'],
  });
  expect(contentOf(entry)).toEqual({
    v: 1,
    kind: 'named',
    time: entry?.at,
    ...Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, commit(salts[name] ?? '', text)]),
    ),
  });
});

it('a new caller’s first log entry has the current handle, even if the handle changes during the request', async () => {
  let isRenamed = false;
  const DB = interceptDatabase(testEnv.DB, async ({ sql }, run) => {
    if (!isRenamed && sql.includes('INTO "callers"')) {
      isRenamed = true;
      await control('POST', '/x/rename', { handle: 'newcomer', newHandle: 'newcomer_anew' });
      await app.signIn('newcomer_anew');
    }
    return run();
  });
  const racing = await createTestApp({ bindings: { DB } });
  const entries = await logged(() => createCaller(racing, 'newcomer'));
  expect(entries.map(({ kind, text }) => [kind, JSON.parse(text ?? '')])).toEqual([
    ['named', { handle: 'newcomer_anew', name: expect.any(String), xId: expect.any(String) }],
  ]);
});

it('the log entry of a handle lost to somebody else has the placeholder that the profile shows', async () => {
  const [entry] = await logged(loseHandle);
  const profile = await readResponse<{ twitterHandle: string }>(app.request(`/api/callers/${caller.id}`));
  expect(JSON.parse(entry?.text ?? '')).toMatchObject({ handle: profile.twitterHandle });
});

it('the log entry of an operator’s action has the action and a commitment of the reason', async () => {
  await open();
  await readResponse(update());
  const entries = await logged(async () => {
    await operate('suspend', caller.id);
    await operate('hide_text', await updateId(), 'update');
  });
  const reasons = entries.map((entry) => commit(entry.text_salt ?? '', 'For a test.'));
  expect(entries.map(contentOf)).toEqual([
    { v: 1, kind: 'hidden', time: entries[0]?.at, action: 'suspend', reason: reasons[0], call: null },
    { v: 1, kind: 'hidden', time: entries[1]?.at, action: 'hide_text', reason: reasons[1], call: call.id },
  ]);
  expect(await query('SELECT id FROM operator_audit ORDER BY seq')).toEqual(
    entries.map(({ subject_id: id }) => ({ id })),
  );
});

it(`writing a log entry costs three written rows and at most ${MAX_READ} read rows`, async () => {
  const written: number[] = [];
  const read: number[] = [];
  const DB = countRows(testEnv.DB, ({ sql, ...rows }) => {
    if (!/(INTO|UPDATE) "?log_entries/.test(sql) || rows.written === 0) return;
    written.push(rows.written);
    read.push(rows.rows);
  });
  const counted = await createTestApp({ bindings: { DB, OPERATOR_X_IDS: operatorXId } });
  operator = counted.browser(operator);
  caller = counted.browser(caller);
  await open();
  await readResponse(update());
  await endCall({ caller, call, price: 3 });
  await operate('suspend', caller.id);
  await rename();
  await counted.signIn(newHandle());
  expect(written).toEqual([3, 3, 3, 3, 3]);
  expect(Math.max(...read)).toBeLessThanOrEqual(MAX_READ);
});

it('GET /log/texts has a call’s texts again after operators have hidden and shown them', async () => {
  await open();
  await readResponse(update());
  await endCall({ caller, call, price: 3 });
  const texts = async () => {
    const all = await readResponse<LogText[]>(app.request(`/log/texts/${caller.id}`));
    return all.filter(({ name }) => name === 'thesis' || name === 'text');
  };
  const before = await texts();
  expect(before).toHaveLength(2);
  const subjects = [
    [call.id, 'thesis'],
    [await updateId(), 'update'],
  ] as const;
  for (const [id, kind] of subjects) await operate('hide_text', id, kind);
  expect(await texts()).toEqual([]);
  for (const [id, kind] of subjects) await operate('show_text', id, kind);
  expect(await texts()).toEqual(before);
});

it('the log entry of a call’s price marks has the recorded mark, null for the missing mark, and the rule', async () => {
  await open();
  await app.advance(MARK_DELAY_MS);
  await app.services.priceMarks.record();
  await endCall({ caller, call, price: 3 });
  await app.advance(FOLLOWER_RECORD_DELAY_MS);
  const [entry] = await logged(() => app.services.followerResults.record());
  const [mark] = await query('SELECT * FROM price_marks');
  expect(contentOf(entry)).toEqual({
    v: 1,
    kind: 'marked',
    time: app.clock.now(),
    call: call.id,
    rule: 'gain_without_mark',
    end: null,
    open: {
      price: mark?.['price'],
      liquidityUsd: mark?.['liquidity_usd'],
      solPriceUsd: mark?.['sol_price_usd'],
      source: mark?.['source'],
      seenAt: mark?.['seen_at'],
    },
  });
});

it(`an update beyond the limit of ${MAX_UPDATES_PER_CALL} per call is rejected with a message that names the limit`, async () => {
  await open();
  for (let sent = 0; sent < MAX_UPDATES_PER_CALL; sent++) {
    if (sent % MAX_UPDATES_PER_WINDOW === 0) await app.advance(UPDATES_WINDOW_MS);
    await readResponse(update(`Update ${sent}`));
  }
  await app.advance(UPDATES_WINDOW_MS);
  const { message } = await expectRefusalWithoutTrace(() => update('One more.'), 'updates.call_full');
  expect(message).toContain(String(MAX_UPDATES_PER_CALL));
  await endCall({ caller, call, price: 3 });
});

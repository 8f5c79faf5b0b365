import { beforeEach, expect, it, vi } from 'vitest';
import { NOTIFICATION_LIFETIME_MS } from '#schema/constants/messages.ts';
import { OPERATOR_ACTIONS, OPERATOR_SIGN_IN_MS } from '#schema/constants/running.ts';
import { HIDDEN_TEXT } from '#worker/modules/log/hidden-texts.repository.ts';
import type { CallDetail, TokenCall } from '#schema/contracts/calls.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type {
  AuditEntry,
  OperatorAction,
  OperatorsOverview,
  OperatorsPerson,
} from '#schema/contracts/operators.ts';
import { expectRefusal, expectRefusalWithoutTrace, readPages, readResponse } from '#test/responses.ts';
import {
  createCaller,
  createPaidCaller,
  endCall,
  makeCall,
  makeCallWithTexts,
  MINTS,
  makeEndedCall,
} from '#test/people/callers.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { act, createOperatedApp, OPERATORS_TOKEN, readAudit } from '#test/people/operators.ts';
import { openIntent, pay } from '#test/payments/payments.ts';
import { connectTelegram, writtenTo } from '#test/messages/telegram.ts';
import { type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let operator: Person;
let operatorXId: string;
let caller: Person;

beforeEach(async () => {
  ({ app, operator, operatorXId } = await createOperatedApp());
  caller = await createCaller(app, 'amara_calls');
});

const profileOf = (person: Person, viewer: Person = operator) =>
  readResponse<CallerProfile>(viewer.get(`/api/callers/${person.id}`));
const addOrphan = (signature: string, lamports: number) =>
  query(
    `INSERT INTO payment_orphans (signature, reason, payer_address, platform_lamports, slot, paid_at, found_at)
    VALUES (?, 'payments.missing_reference', 'stranger', ?, 1, 1, 1)`,
    signature,
    lamports,
  );
/** Stores a payment of the operator that landed but can't be read. */
const insertUnreadable = async (signature: string) => {
  const { caller: paid } = await createPaidCaller(app, { handle: 'paid_calls' });
  const { intent } = await openIntent(operator, paid.id);
  await query(
    'INSERT INTO payment_broadcasts (signature, intent_id, created_at, unreadable_at) VALUES (?1, ?2, 1, 2)',
    signature,
    intent.id,
  );
};
const unreadablePayments = async () =>
  (await readResponse<OperatorsOverview>(operator.get('/api/operators/overview'))).problems.unreadable.map(
    ({ id }) => id,
  );
const openOrphans = async () =>
  (await query('SELECT signature FROM payment_orphans WHERE resolved_at IS NULL')).map(
    ({ signature }) => signature,
  );
const openFailures = () => query('SELECT event_id FROM failed_deliveries WHERE resolved_at IS NULL');
/** Asserts that an action is refused and changes nothing. */
const expectRefused = (action: object, code: ErrorCode) =>
  expectRefusalWithoutTrace(
    () => operator.post('/api/operators/actions', { reason: 'They asked us to.', ...action }),
    code,
  );

/** Creates a follower of `caller` with a chat. */
const createFollower = async () => {
  const follower = await app.signIn('follower');
  await readResponse(follower.post('/api/subscriptions/free', { callerId: caller.id }), 201);
  return { follower, chatId: await connectTelegram(app, follower) };
};

/** Makes an update whose delivery failed for its whole lifetime. Returns its follower's chat. */
const failUpdate = async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { chatId } = await createFollower();
  const { updateId } = await makeCallWithTexts({ caller });
  await app.advance(NOTIFICATION_LIFETIME_MS);
  await app.sender.deliver();
  expect(await writtenTo(chatId)).toEqual([]);
  const [failed] = await query<{ id: string }>(
    'SELECT id FROM failed_deliveries WHERE event_id = ?',
    `call_update:${updateId}`,
  );
  return { chatId, failureId: failed?.id ?? '' };
};

interface Scenario {
  /** Returns the action's body without the reason. */
  readonly arrange: () => Promise<{ subjectId: string; kind?: string }>;
  readonly effect: (subjectId: string) => Promise<unknown>;
  readonly before: unknown;
  readonly after: unknown;
  /** True if repeating the action changes nothing. */
  readonly isOnce?: boolean;
}

const ofCaller = async () => ({ subjectId: caller.id });
const after = (action: OperatorAction) => async () => {
  await act(operator, { action, subjectId: caller.id });
  return { subjectId: caller.id };
};
const isVerified = async () => (await profileOf(caller)).isVerified;
const isSuspended = async () => (await profileOf(caller)).isSuspended;
const listPauses = () => app.services.pauses.list();
const noteOf = async (id: string) =>
  (await readResponse<CallDetail>(app.request(`/api/token-calls/${id}`))).note;
const statusForVisitors = async () => (await app.request(`/api/callers/${caller.id}`)).status;

const ofFailedEvent: Scenario = {
  arrange: async () => ({ subjectId: (await failUpdate()).failureId }),
  effect: async () => (await openFailures()).length,
  before: 2,
  after: 1,
};

const scenarios: Readonly<Record<OperatorAction, Scenario>> = {
  verify: { arrange: ofCaller, effect: isVerified, before: false, after: true },
  unverify: { arrange: after('verify'), effect: isVerified, before: true, after: false },
  suspend: { arrange: ofCaller, effect: isSuspended, before: false, after: true },
  unsuspend: { arrange: after('suspend'), effect: isSuspended, before: true, after: false },
  hide_caller: { arrange: ofCaller, effect: statusForVisitors, before: 200, after: 404 },
  show_caller: { arrange: after('hide_caller'), effect: statusForVisitors, before: 404, after: 200 },
  hide_text: {
    arrange: async () => ({ subjectId: (await makeCallWithTexts({ caller })).call.id, kind: 'thesis' }),
    effect: async (id) => (await readResponse<CallDetail>(caller.get(`/api/token-calls/${id}`))).thesis,
    before: 'A thesis',
    after: HIDDEN_TEXT,
  },
  show_text: {
    arrange: async () => {
      const text = { subjectId: (await makeCallWithTexts({ caller })).updateId, kind: 'update' };
      await act(operator, { action: 'hide_text', ...text });
      return text;
    },
    effect: async () => {
      const [{ call_id: callId } = {}] = await query('SELECT call_id FROM call_updates');
      const call = await readResponse<CallDetail>(caller.get(`/api/token-calls/${String(callId)}`));
      return call.updates.map(({ message }) => message);
    },
    before: [HIDDEN_TEXT],
    after: ['An update'],
  },
  resolve_orphan: {
    arrange: async () => {
      await addOrphan('lost', 5_000_000);
      return { subjectId: 'lost' };
    },
    effect: openOrphans,
    before: ['lost'],
    after: [],
  },
  resolve_small_orphans: {
    arrange: async () => {
      await addOrphan('dust', 150_000);
      await addOrphan('real', 50_000_000);
      return { subjectId: 'stranger' };
    },
    effect: openOrphans,
    before: ['dust', 'real'],
    after: ['real'],
  },
  release_payment: {
    arrange: async () => {
      await insertUnreadable('newer');
      return { subjectId: 'newer' };
    },
    effect: unreadablePayments,
    before: ['newer'],
    after: [],
  },
  resend_event: ofFailedEvent,
  dismiss_event: ofFailedEvent,
  end_access: {
    arrange: ofCaller,
    effect: async () => (await caller.get('/api/auth/user')).status,
    before: 200,
    after: 401,
  },
  resolve_reports: {
    arrange: async () => {
      await readResponse(
        operator.post('/api/reports', { kind: 'caller', id: caller.id, reason: 'impersonation' }),
        201,
      );
      return { subjectId: caller.id, kind: 'caller' };
    },
    effect: async () =>
      (await readResponse<OperatorsOverview>(operator.get('/api/operators/overview'))).reported.length,
    before: 1,
    after: 0,
  },
  pause: {
    arrange: async () => ({ subjectId: 'calls' }),
    effect: async () => listPauses(),
    before: [],
    after: [{ kind: 'calls', reason: 'They asked us to.', since: expect.any(String) }],
  },
  resume: {
    arrange: async () => {
      await act(operator, { action: 'pause', subjectId: 'posting', reason: 'Too loud.' });
      return { subjectId: 'posting' };
    },
    effect: async () => listPauses(),
    before: [{ kind: 'posting', reason: 'Too loud.', since: expect.any(String) }],
    after: [],
  },
  delete_account: {
    arrange: ofCaller,
    effect: async () => (await profileOf(caller)).firstName === 'Deleted caller',
    before: false,
    after: true,
    isOnce: false,
  },
  add_note: {
    arrange: async () => ({ subjectId: (await makeEndedCall({ caller })).id }),
    effect: noteOf,
    before: null,
    after: { text: 'They asked us to.', at: expect.any(String) },
  },
  remove_note: {
    arrange: async () => {
      const { id: subjectId } = await makeEndedCall({ caller });
      await act(operator, { action: 'add_note', subjectId, reason: 'Wrong price.' });
      return { subjectId };
    },
    effect: noteOf,
    before: { text: 'Wrong price.', at: expect.any(String) },
    after: null,
  },
};

it.each(OPERATOR_ACTIONS)(
  'the operator action %s takes effect and writes one audit entry',
  async (action) => {
    const { arrange, effect, before, after: changed, isOnce = true } = scenarios[action];
    const subject = await arrange();
    expect(await effect(subject.subjectId)).toEqual(before);
    const audited = (await readAudit()).length;
    const response = await act(operator, { action, ...subject, reason: '  They asked us to.  ' });
    expect(response).toEqual({ isDone: true, message: expect.any(String) as string });
    expect(await effect(subject.subjectId)).toEqual(changed);
    expect((await readAudit()).slice(audited)).toEqual([
      {
        action,
        subject_id: subject.subjectId,
        reason: 'They asked us to.',
        kind: subject.kind ?? null,
        operator_x_id: operatorXId,
      },
    ]);
    if (!isOnce) return;
    const stored = await readDatabase();
    const again = await act(operator, { action, ...subject });
    expect(again).toEqual({
      isDone: false,
      message: expect.stringMatching(/Nothing was changed\.$/) as string,
    });
    expect({ ...(await readDatabase()), attempts: [] }).toEqual({ ...stored, attempts: [] });
  },
);

it('every operator action is refused for an unknown subject', async () => {
  for (const action of OPERATOR_ACTIONS) {
    const kind = { hide_text: 'thesis', show_text: 'bio', resolve_reports: 'call' }[action as string];
    const body = { action, ...(kind && { kind }), subjectId: '4'.repeat(87), reason: 'Valid.' };
    await expectRefusal(operator.post('/api/operators/actions', body), 'operators.subject_not_found');
  }
  expect(await readAudit()).toEqual([]);
});

it('an operator action without a valid reason is refused and changes nothing', async () => {
  for (const reason of [undefined, '', 'no', '  \u200b\u2800  ', 'x'.repeat(501), 7]) {
    await expectRefused({ action: 'verify', subjectId: caller.id, reason }, 'request.invalid');
  }
});

const paths = [
  'overview',
  'audit',
  'people?search=amara_calls',
  'payments?search=lost',
  'payments',
  'people/any/telegram',
  'audit?cursor=%',
  'people',
  'else',
  '',
];

it('the operators’ URLs respond like unknown URLs to everybody except operators', async () => {
  const stranger = await app.signIn('stranger');
  const describeResponse = async (response: Response) => ({
    status: response.status,
    headers: [...response.headers].filter(([name]) => name !== 'set-cookie'),
    text: await response.text(),
  });
  for (const cookie of [undefined, stranger.cookie, caller.cookie, 'session=wrong']) {
    const sendRequest = async (path: string, method = 'GET', headers = {}) =>
      describeResponse(
        await app.request(path, {
          method,
          headers,
          ...(method !== 'GET' && { body: { action: 'verify', subjectId: caller.id, reason: 'Mine.' } }),
          cookie,
        }),
      );
    const unknown = await sendRequest('/api/nothing/here');
    expect(unknown.status).toBe(404);
    for (const path of paths) expect(await sendRequest(`/api/operators/${path}`), path).toEqual(unknown);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect(await sendRequest('/api/operators/actions', method)).toEqual(
        await sendRequest('/api/nothing/here', method),
      );
    }
    for (const path of ['/operators', '/operators/']) {
      expect(await sendRequest(path), path).toEqual(await sendRequest('/nothing-here'));
    }
    const wrong = { Authorization: 'Bearer wrong', 'X-Operator-Id': operatorXId };
    expect(await sendRequest('/api/operators/overview', 'GET', wrong)).toEqual(unknown);
  }
  expect(await readAudit()).toEqual([]);
});

it('the operators’ URLs share the rate limit of unknown URLs for everybody except operators', async () => {
  const stranger = await app.signIn('stranger');
  const sendRequest = async (path: string) => (await stranger.get(path)).status;
  let status = 404;
  for (let requested = 0; requested < 500 && status === 404; requested++) {
    status = await sendRequest('/api/nothing/here');
  }
  expect([status, await sendRequest('/api/operators/overview')]).toEqual([429, 429]);
});

it('an operator gets the console’s page, which is private and not indexed', async () => {
  const page = await operator.get('/operators');
  expect(page.status).toBe(200);
  expect(page.headers.get('Cache-Control')).toBe('private, no-store');
  expect(await page.text()).toMatch(/<meta name="robots" content="noindex/);
  expect((await readResponse<{ isOperator?: boolean }>(operator.get('/api/auth/user'))).isOperator).toBe(
    true,
  );
  expect(await readResponse(caller.get('/api/auth/user'))).not.toHaveProperty('isOperator');
});

it('an operator needs a recent sign-in to act, but not to read', async () => {
  const body = { action: 'verify', subjectId: caller.id, reason: 'They proved it.' };
  await app.advance(OPERATOR_SIGN_IN_MS);
  await readResponse(operator.post('/api/operators/actions', body));
  await app.advance(1);
  await expectRefusal(
    operator.post('/api/operators/actions', { ...body, action: 'unverify' }),
    'auth.fresh_sign_in_needed',
  );
  await readResponse(operator.get('/api/operators/overview'));
});

it('an operator can act with the operators’ token and an X id, which the audit names', async () => {
  const sendRequest = (headers: Record<string, string>) =>
    app.request('/api/operators/actions', {
      method: 'POST',
      headers,
      body: { action: 'verify', subjectId: caller.id, reason: 'From the command line.' },
    });
  const token = { Authorization: `Bearer ${OPERATORS_TOKEN}` };
  await expectRefusal(sendRequest({ ...token, 'X-Operator-Id': '404' }), 'request.not_found');
  await expectRefusal(sendRequest(token), 'request.not_found');
  await readResponse(sendRequest({ ...token, 'X-Operator-Id': operatorXId }));
  expect(await readAudit()).toMatchObject([{ action: 'verify', operator_x_id: operatorXId }]);
});

it('an operator finds people by handle, id, X id, wallet or call, and gets no email, chat or session', async () => {
  const wallet = 'So11111111111111111111111111111111111111112';
  await readResponse(caller.post('/api/user/wallets', { walletAddress: wallet }), 201);
  const { call, updateId } = await makeCallWithTexts({ caller });
  const [row] = await query<{ x_user_id: string; email: string }>(
    'SELECT * FROM users WHERE id = ?',
    caller.id,
  );
  for (const search of ['amara_calls', '@AMARA_calls', caller.id, row?.x_user_id ?? '', wallet, call.id]) {
    const response = await operator.get(`/api/operators/people?search=${encodeURIComponent(search)}`);
    const text = await response.clone().text();
    const [person, ...others] = await readResponse<OperatorsPerson[]>(response);
    expect([search, person?.handle, others]).toEqual([search, 'amara_calls', []]);
    expect(text).not.toContain(row?.email ?? 'email');
    expect(text).not.toMatch(/email|chat|token/i);
    const kinds = person?.texts.map(({ kind, subjectId }) => [kind, subjectId]) ?? [];
    const ofCall = [
      ['thesis', call.id],
      ['update', updateId],
    ];
    expect(kinds.filter(([kind]) => kind !== 'bio')).toEqual(search === call.id ? ofCall : []);
  }
  expect(await readResponse(operator.get('/api/operators/people?search=nobody'))).toEqual([]);
});

it('an operator can read the audit in pages, newest first, and filter it by subject', async () => {
  for (let round = 0; round < 27; round++) {
    await act(operator, { action: 'verify', subjectId: caller.id });
    await act(operator, { action: 'unverify', subjectId: caller.id });
  }
  await act(operator, { action: 'suspend', subjectId: caller.id, reason: 'The last.' });
  const pages = await readPages<AuditEntry>(operator.get, '/api/operators/audit');
  expect(pages.map(({ length }) => length)).toEqual([50, 5]);
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(55);
  expect(pages[0]?.[0]).toMatchObject({
    action: 'suspend',
    reason: 'The last.',
    operatorXId,
    operatorHandle: 'operator',
    subjectId: caller.id,
    subjectHandle: 'amara_calls',
  });
  const filtered = (id: string) => readResponse(operator.get(`/api/operators/audit?subjectId=${id}`));
  expect(await filtered(caller.id)).toEqual(pages[0]);
  expect(await filtered('else')).toEqual([]);
});

it('the operators’ overview lists orphaned payments, failed events and ledger checks', async () => {
  await addOrphan('lost', 5_000_000);
  await addOrphan('more', 150_000);
  await query("INSERT INTO ledger_checks (day, started_at, finished_at) VALUES ('2026-11-21', 1, 2)");
  const { failureId } = await failUpdate();
  const overview = await readResponse<OperatorsOverview>(operator.get('/api/operators/overview'));
  const { orphans, orphanPayers, messages, ledgerChecks } = overview.problems;
  expect(orphans.map(({ id, title }) => [id, title])).toEqual([
    ['lost', '0.005 SOL'],
    ['more', '0.00015 SOL'],
  ]);
  expect(orphanPayers).toMatchObject([{ id: 'stranger', title: '2 orphans' }]);
  expect(messages).toContainEqual(expect.objectContaining({ id: failureId, title: 'call_update' }));
  const names = await query<{ id: string }>('SELECT id FROM calls UNION SELECT id FROM call_updates');
  for (const { id } of names) expect(JSON.stringify(overview)).not.toContain(id);
  expect(ledgerChecks).toMatchObject([
    { title: '2026-11-21', text: '0 problems, 0 dust transfers (0 SOL).', count: 0 },
  ]);
});

it('a deleted account can be hidden and shown, but not verified or suspended', async () => {
  await readResponse(caller.post('/api/user/deletion', { handle: caller.handle }));
  for (const action of ['verify', 'unverify', 'suspend', 'unsuspend']) {
    await expectRefused({ action, subjectId: caller.id }, 'operators.subject_deleted');
  }
  await act(operator, { action: 'hide_caller', subjectId: caller.id });
  expect(await statusForVisitors()).toBe(404);
  await act(operator, { action: 'show_caller', subjectId: caller.id });
  expect(await statusForVisitors()).toBe(200);
});

it('an operator can’t see an active call, but sees the price quotes of an ended call, even of a hidden caller', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  const find = async () => {
    const path = `/api/operators/people?search=${call.id}`;
    return (await readResponse<OperatorsPerson[]>(operator.get(path)))[0];
  };
  expect(await find()).toMatchObject({ handle: 'amara_calls', call: null });
  await endCall({ caller, call, price: 3 });
  await act(operator, { action: 'hide_caller', subjectId: caller.id });
  const found = await find();
  const quoted = { quotedAt: expect.any(String) as string, liquidityUsd: expect.any(Number) as number };
  expect(found?.call).toMatchObject({
    id: call.id,
    entryPrice: '2',
    endPrice: '3',
    note: null,
    quotes: [
      { side: 'open', source: 'dexscreener', price: '2', ...quoted },
      { side: 'open', source: 'jupiter', price: '2', ...quoted },
      { side: 'end', source: 'dexscreener', price: '3', ...quoted },
      { side: 'end', source: 'jupiter', price: '3', ...quoted },
    ],
  });
});

it('operators see neither the texts nor the caller of a Paid caller’s active call', async () => {
  const { caller: paid } = await createPaidCaller(app, { handle: 'paid_calls' });
  const subscriber = await app.signIn('payer');
  await pay({ person: subscriber, callerId: paid.id });
  const secrets = { thesis: 'SECRET thesis', message: 'SECRET update' };
  const { call, updateId } = await makeCallWithTexts({ caller: paid, ...secrets });
  for (const [kind, id] of [
    ['call', call.id],
    ['update', updateId],
  ]) {
    await readResponse(subscriber.post('/api/reports', { kind, id, reason: 'scam', text: 'A scam.' }), 201);
  }
  expect(await readResponse(operator.get(`/api/operators/people?search=${call.id}`))).toEqual([]);
  const readReported = async () =>
    (await readResponse<OperatorsOverview>(operator.get('/api/operators/overview'))).reported;
  const withheld = { text: null, isWithheld: true };
  expect(await readReported()).toMatchObject([withheld, withheld]);
  await act(operator, { action: 'hide_text', kind: 'thesis', subjectId: call.id });
  await readResponse(paid.patch(`/api/token-calls/${call.id}/end`));
  const texts = (await readReported()).map(({ text, isWithheld }) => [text, isWithheld]);
  expect(texts.toSorted()).toEqual([
    ['SECRET thesis', false],
    ['SECRET update', false],
  ]);
});

it('an operator’s note on an active call is refused like a note on an unknown call', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await expectRefused({ action: 'add_note', subjectId: call.id }, 'operators.subject_not_found');
  const insert = "INSERT INTO call_notes (call_id, text, at) VALUES (?, 'Early.', 1)";
  await expect(query(insert, call.id)).rejects.toThrow('only ended calls get notes');
});

it('an operator’s note is on the call’s public page, and in the public log without the note’s text', async () => {
  const call = await makeEndedCall({ caller });
  await act(operator, { action: 'add_note', subjectId: call.id, reason: 'The price was <wrong>.' });
  const page = await (await app.request(`/call/${call.id}`)).text();
  expect(page).toContain('The price was &lt;wrong&gt;.');
  const [entry] = await query<{ content: string }>(
    "SELECT content FROM log_entries WHERE kind = 'hidden' AND call_id = ?",
    call.id,
  );
  expect(JSON.parse(entry?.content ?? '{}')).toMatchObject({ action: 'add_note', call: call.id });
  expect(entry?.content).not.toContain('wrong');
});

it('an operator can’t delete an account with open calls, and the refusal does not name the calls', async () => {
  const { call } = await makeCallWithTexts({ caller });
  const body = { action: 'delete_account', subjectId: caller.id, reason: 'They asked us to.' };
  const { message, error } = await expectRefused(body, 'account.open_calls');
  expect(JSON.stringify([message, error])).not.toContain(call.tokenSymbol);
  await endCall({ caller, call, price: 3 });
  await act(operator, body);
  await expectRefusal(caller.get('/api/auth/user'), 'auth.required');
  await expectRefusal(operator.post('/api/operators/actions', body), 'operators.subject_deleted');
  expect(await readAudit()).toMatchObject([{ action: 'delete_account', subject_id: caller.id }]);
});

it('an operator’s deletion of a caller with paid subscribers is a request that the caller can cancel', async () => {
  const { caller: paid } = await createPaidCaller(app, { handle: 'paid_calls' });
  await pay({ person: await app.signIn('payer'), callerId: paid.id });
  const body = { action: 'delete_account', subjectId: paid.id };
  expect(await act(operator, body)).toMatchObject({ isDone: true });
  expect(await readResponse(paid.get('/api/auth/user'))).toMatchObject({ deletesAt: expect.any(String) });
  expect(await act(operator, body)).toMatchObject({ isDone: false });
  expect(await readAudit()).toHaveLength(1);
  await readResponse(paid.delete('/api/user/deletion'));
  expect(await readResponse(paid.get('/api/auth/user'))).not.toHaveProperty('deletesAt');
});

it('audit entries can’t be changed or deleted', async () => {
  await act(operator, { action: 'verify', subjectId: caller.id });
  for (const sql of ["UPDATE operator_audit SET reason = 'Another.'", 'DELETE FROM operator_audit']) {
    await expect(query(sql)).rejects.toThrow(/operator_audit are never/);
  }
});

it('the audit has no entry if the action fails', async () => {
  await query(`CREATE TRIGGER refuse BEFORE UPDATE ON users BEGIN SELECT RAISE(ABORT, 'no'); END`);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await expectRefusal(
    operator.post('/api/operators/actions', { action: 'verify', subjectId: caller.id, reason: 'Try.' }),
    'server.failed',
  );
  expect(await readAudit()).toEqual([]);
  expect(await isVerified()).toBe(false);
});

it('an event that an operator resends reaches the follower, or is listed as failed again if sending fails', async () => {
  const { chatId, failureId } = await failUpdate();
  await act(operator, { action: 'resend_event', subjectId: failureId });
  await app.advance(NOTIFICATION_LIFETIME_MS);
  await app.sender.deliver();
  expect(await openFailures()).toHaveLength(2);
  await act(operator, { action: 'resend_event', subjectId: failureId });
  await app.sender.deliver();
  expect(await writtenTo(chatId)).toEqual([expect.stringContaining('An update')]);
  expect(await openFailures()).toHaveLength(1);
  await app.runCron();
  await app.sender.deliver();
  expect(await writtenTo(chatId)).toHaveLength(1);
});

it('the cron resends an event if the sender did not respond to the operator’s request', async () => {
  const { chatId, failureId } = await failUpdate();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  app.sender.failAfter(0);
  await act(operator, { action: 'resend_event', subjectId: failureId });
  app.sender.failAfter(Number.POSITIVE_INFINITY);
  await app.runJobs('sender');
  await app.sender.deliver();
  expect(await writtenTo(chatId)).toEqual([expect.stringContaining('An update')]);
});

const pathsOf = ({ id }: Pick<TokenCall, 'id'>) => [
  `/api/token-calls/${id}`,
  `/api/token-calls/caller/${caller.id}/history`,
  '/api/token-calls/ended',
  '/api/subscriptions/calls',
  `/api/callers/${caller.id}`,
  `/call/${id}`,
  `/caller/${caller.id}`,
];

it('a text that operators hid is in no response, page or message', async () => {
  const { follower, chatId } = await createFollower();
  await readResponse(caller.patch('/api/user/profile', { bio: 'SECRET bio' }));
  const { call, updateId } = await makeCallWithTexts({
    caller,
    thesis: 'SECRET thesis',
    message: 'SECRET update',
  });
  await endCall({ caller, call, price: 3 });
  const findSecrets = async () => {
    const found: string[] = [];
    for (const path of pathsOf(call)) {
      for (const viewer of [follower, caller]) {
        const response = await viewer.get(path);
        expect([path, response.status]).toEqual([path, 200]);
        found.push(...((await response.text()).match(/SECRET \w+/g) ?? []).map((text) => `${path}: ${text}`));
      }
    }
    return found;
  };
  expect(new Set((await findSecrets()).map((text) => text.split(': ')[1]))).toEqual(
    new Set(['SECRET bio', 'SECRET thesis', 'SECRET update']),
  );
  const known = await follower.get('/api/subscriptions/calls');
  for (const [kind, subjectId] of [
    ['bio', caller.id],
    ['thesis', call.id],
    ['update', updateId],
  ]) {
    await act(operator, { action: 'hide_text', kind, subjectId });
  }
  expect(await findSecrets()).toEqual([]);
  await app.sender.deliver();
  expect((await writtenTo(chatId)).join('\n')).not.toContain('SECRET');
  const poll = await app.request('/api/subscriptions/calls', {
    cookie: follower.cookie,
    headers: { 'If-None-Match': known.headers.get('ETag') ?? '' },
  });
  expect(poll.status).toBe(200);
  // The owner still edits their own bio.
  expect(await readResponse(caller.get('/api/auth/user'))).toMatchObject({ bio: 'SECRET bio' });
  await readResponse(caller.patch('/api/user/profile', { bio: 'SECRET again' }));
  expect((await profileOf(caller, follower)).bio).toBe(HIDDEN_TEXT);
});

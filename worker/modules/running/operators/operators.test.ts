import { beforeEach, expect, it, vi } from 'vitest';
import { NOTIFICATION_LIFETIME_MS } from '#schema/constants/messages.ts';
import { DELETION_MAX_WAIT_MS } from '#schema/constants/people.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { OPERATOR_ACTIONS, OPERATOR_SIGN_IN_MS } from '#schema/constants/running.ts';
import { HIDDEN_TEXT } from '#worker/modules/log/hidden-texts.repository.ts';
import type { CallDetail, TokenCall } from '#schema/contracts/calls.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { OperatorAction, OperatorsRow } from '#schema/contracts/operators.ts';
import { utcMinute } from '#schema/rules/text/utc-minute.ts';
import { expectRefusal, expectRefusalWithoutTrace, readPages, readResponse } from '#test/responses.ts';
import { createApiKey } from '#test/people/api-keys.ts';
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
import {
  act,
  createOperatedApp,
  factsOf,
  OPERATORS_TOKEN,
  readAudit,
  readConsole,
  readSection,
  searchConsole,
} from '#test/people/operators.ts';
import { insertPastPayments } from '#test/payments/past-payments.ts';
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
const rowsOf = async (title: string) => (await readSection(operator, 'now', title)).rows;
const unreadablePayments = async () =>
  (await rowsOf('Problems'))
    .flatMap(({ actions }) => actions)
    .flatMap(({ action, subjectId }) => (action === 'release_payment' ? [subjectId] : []));
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
  readonly arrange: () => Promise<{ subjectId: string; kind?: string; handle?: string }>;
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
    effect: async () => (await rowsOf('Reports')).length,
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
    arrange: async () => ({ subjectId: caller.id, handle: '@Amara_Calls' }),
    effect: async () => (await profileOf(caller)).firstName === 'Deleted caller',
    before: false,
    after: true,
    isOnce: false,
  },
  keep_account: {
    async arrange() {
      const subscriber = await app.signIn('payer');
      const { caller: paid } = await createPaidCaller(app, { handle: 'paid_calls' });
      await pay({ person: subscriber, callerId: paid.id });
      await readResponse(paid.post('/api/user/deletion', { handle: 'paid_calls' }));
      return { subjectId: paid.id };
    },
    effect: async (id) =>
      (await query('SELECT deletes_at FROM callers WHERE caller_id = ?', id))[0]?.['deletes_at'],
    before: expect.any(Number),
    after: null,
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
    const handle = action === 'delete_account' ? { handle: 'nobody' } : {};
    const body = { action, ...(kind && { kind }), ...handle, subjectId: '4'.repeat(87), reason: 'Valid.' };
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
  'now',
  'audit',
  'search?search=amara_calls',
  'search',
  'person/any',
  'payment/lost',
  'call/any',
  'earned/all',
  'nothing/any',
  'audit?cursor=%',
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
    for (const path of ['/operators', '/operators/', '/operators/audit', '/operators/person/any']) {
      expect(await sendRequest(path), path).toEqual(await sendRequest('/nothing-here'));
    }
    const wrong = { Authorization: 'Bearer wrong', 'X-Operator-Id': operatorXId };
    expect(await sendRequest('/api/operators/now', 'GET', wrong)).toEqual(unknown);
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
  expect([status, await sendRequest('/api/operators/now')]).toEqual([429, 429]);
});

it('an operator gets the console’s page, which is private and not indexed', async () => {
  const page = await operator.get('/operators/person/any');
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
  await expectRefusal(operator.post('/api/operators/test-alarm'), 'auth.fresh_sign_in_needed');
  await readResponse(operator.get('/api/operators/now'));
});

it.each(['Bearer', 'bearer', 'BEARER'])(
  'an operator’s API key after %s opens nothing of the console',
  async (scheme) => {
    const { key } = await createApiKey(app, operator);
    const headers = { Authorization: `${scheme} ${key}`, 'X-Operator-Id': operatorXId };
    for (const path of ['/api/operators/now', `/api/operators/person/${caller.id}`, '/operators']) {
      expect((await app.request(path, { headers })).status, path).toBe(404);
    }
    expect((await app.request('/api/operators/test-alarm', { method: 'POST', headers })).status).toBe(404);
  },
);

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

it('an operator finds a person by handle, id, X id, wallet or the start of the email, and sees no email, chat or secret', async () => {
  const wallet = 'So11111111111111111111111111111111111111112';
  await readResponse(caller.post('/api/user/wallets', { walletAddress: wallet }), 201);
  const chatId = await connectTelegram(app, caller);
  const [row] = await query<{ x_user_id: string; email: string }>(
    'SELECT * FROM users WHERE id = ?',
    caller.id,
  );
  const [session] = await query<{ token_hash: string }>(
    'SELECT token_hash FROM sessions WHERE user_id = ?',
    caller.id,
  );
  const { x_user_id: xId = '', email = '' } = row ?? {};
  for (const search of [
    'amara_calls',
    '@AMARA_calls',
    caller.id,
    xId,
    wallet,
    email.slice(0, 8).toUpperCase(),
  ]) {
    expect([search, await searchConsole(operator, search)]).toMatchObject([
      search,
      [{ id: caller.id, links: [{ to: 'person', id: caller.id, text: '@amara_calls' }] }],
    ]);
  }
  expect(await searchConsole(operator, 'nobody')).toEqual([]);
  expect(await searchConsole(operator, email.slice(0, 2))).toEqual([]);
  const text = JSON.stringify(await readConsole(operator, `person/${caller.id}`));
  expect(text).toContain('Session: ');
  for (const secret of [email, String(chatId), session?.token_hash]) expect(text).not.toContain(secret);
});

it('an operator finds an ended call by its caller’s handle and the token’s symbol, with each source’s prices', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  expect(await searchConsole(operator, `@Amara_calls $${call.tokenSymbol.toLowerCase()}`)).toEqual([]);
  await endCall({ caller, call, price: 3 });
  await act(operator, { action: 'hide_caller', subjectId: caller.id });
  await act(operator, { action: 'add_note', subjectId: call.id, reason: 'The price was wrong.' });
  expect(await searchConsole(operator, `@Amara_calls $${call.tokenSymbol.toLowerCase()}`)).toMatchObject([
    { id: call.id, links: [{ to: 'call', id: call.id }] },
  ]);
  const path = `call/${call.id}`;
  const prices = (await readSection(operator, path, 'Prices of each source')).rows.map(({ title }) => title);
  expect(prices).toEqual([
    'Entry, DexScreener: $2',
    'Entry, Jupiter: $2',
    'End, DexScreener: $3',
    'End, Jupiter: $3',
  ]);
  expect(factsOf(await readSection(operator, path, 'Entry and end'))).toMatchObject({
    Entry: expect.stringMatching(/^\$2 at .* UTC$/) as string,
    End: expect.stringMatching(/^\$3 at .* UTC$/) as string,
    'Public note': 'The price was wrong.',
  });
  const [correction] = (await readSection(operator, path, 'What operators did')).rows;
  expect(correction).toMatchObject({ text: 'The price was wrong.\nBy @operator' });
});

it('an operator finds a call whose symbol begins with $, and reads the result and why each price was recorded', async () => {
  const mint = 'HhJpBhRRn4g56VsyLuT8DL5Bv31HkXqsrahTTUCZeZg4';
  const { id, tokenSymbol } = await makeEndedCall({ caller, mint, from: 1, to: 2 });
  expect(tokenSymbol).toBe('$MYRO');
  for (const search of ['amara_calls MYRO', '@amara_calls $myro', `https://solcallers.example/call/${id}`]) {
    expect([search, await searchConsole(operator, search)]).toMatchObject([
      search,
      [{ id, title: 'Call of $MYRO by @amara_calls, ended' }],
    ]);
  }
  const open = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  expect(await searchConsole(operator, open.id)).toMatchObject([
    { title: `Call of ${open.tokenSymbol} by @amara_calls, active` },
  ]);
  expect(factsOf(await readSection(operator, `call/${id}`, 'Entry and end'))).toMatchObject({
    'Public page': { to: 'public_call', id },
    Change: '+100.0%',
  });
  const { rows } = await readSection(operator, `call/${id}`, 'Prices of each source');
  expect(rows.filter(({ text }) => text.includes('or the first if they’re equal'))).toHaveLength(2);
});

it('an operator finds people by the start of the handle, the exact handle first', async () => {
  for (const handle of ['minh21', 'minh', 'mina']) await app.signIn(handle);
  const titles = async (search: string) =>
    (await searchConsole(operator, search)).flatMap(({ links }) => links.map(({ text }) => text));
  expect(await titles('minh')).toEqual(['@minh', '@minh21']);
  expect(await titles('@MINH2')).toEqual(['@minh21']);
  expect(await titles('mi')).toEqual([]);
});

it('an operator can read the audit in pages, newest first, and filter it by operator, subject, action and day', async () => {
  for (let round = 0; round < 27; round++) {
    await act(operator, { action: 'verify', subjectId: caller.id });
    await act(operator, { action: 'unverify', subjectId: caller.id });
  }
  await act(operator, { action: 'suspend', subjectId: caller.id, reason: 'The last.' });
  const pages = await readPages<OperatorsRow>(operator.get, '/api/operators/audit');
  expect(pages.map(({ length }) => length)).toEqual([50, 5]);
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(55);
  expect(pages[0]?.[0]).toMatchObject({
    title: 'Suspend: @amara_calls',
    text: 'The last.\nBy @operator',
    links: [{ to: 'person', id: caller.id }],
  });
  const count = async (filter: string) =>
    (await readResponse<OperatorsRow[]>(operator.get(`/api/operators/audit?${filter}`))).length;
  const today = new Date(app.clock.now()).toISOString().slice(0, 10);
  const tomorrow = new Date(app.clock.now() + DAY_MS).toISOString().slice(0, 10);
  expect(await count(`subject=${caller.id}`)).toBe(50);
  expect(await count('subject=@Amara_calls&action=suspend')).toBe(1);
  expect(await count('subject=else')).toBe(0);
  expect(await count(`operator=${operatorXId}&action=verify`)).toBe(27);
  expect(await count('operator=operator&action=verify')).toBe(27);
  expect(await count('operator=amara_calls')).toBe(0);
  expect([await count(`since=${today}&action=suspend`), await count(`since=${tomorrow}`)]).toEqual([1, 0]);
});

it('the console’s first page has what users can’t do, open problems with their actions, and pauses', async () => {
  await addOrphan('lost', 5_000_000);
  await addOrphan('more', 150_000);
  await query(
    "INSERT INTO ledger_checks (day, started_at, finished_at, problem_count) VALUES ('2026-11-21', 1, 2, 0), ('2026-11-22', 1, 2, 3)",
  );
  const { failureId } = await failUpdate();
  const { sections } = await readConsole(operator, 'now');
  expect(sections.map(({ title }) => title)).toEqual([
    'What can’t users do now?',
    'Problems',
    'Reports',
    'Pauses',
    'Last alarms',
  ]);
  const problems = await rowsOf('Problems');
  const titles = problems.map(({ title }) => title);
  expect(titles).toContain('The ledger check of 2026-11-22 found 3 problems');
  expect(titles.some((title) => title.includes('2026-11-21'))).toBe(false);
  expect(titles).toContain('0.005 SOL that bought nothing');
  expect(sections[0]).toMatchObject({
    rows: [],
    none: 'No outage is known, but the problems below may become one.',
  });
  const actionsOf = (id: string) =>
    problems.find((each) => each.id === id)?.actions.map(({ action, subjectId }) => [action, subjectId]);
  expect(actionsOf('lost')).toEqual([['resolve_orphan', 'lost']]);
  expect(actionsOf('more')).toEqual([
    ['resolve_orphan', 'more'],
    ['resolve_orphan', 'stranger'],
  ]);
  expect(actionsOf(failureId)).toEqual([
    ['resend_event', failureId],
    ['dismiss_event', failureId],
  ]);
  const names = await query<{ id: string }>('SELECT id FROM calls UNION SELECT id FROM call_updates');
  for (const { id } of names) expect(JSON.stringify(sections)).not.toContain(id);
});

it('the console’s first page says that everything works, or what is paused since when, by whom and why', async () => {
  await app.runCron();
  const answer = async () => readSection(operator, 'now', 'What can’t users do now?');
  expect(await answer()).toMatchObject({ none: 'Nothing: everything works.', rows: [], problems: 0 });
  await act(operator, { action: 'pause', subjectId: 'payments', reason: 'Solana is slow.' });
  const title = `New payments are paused since ${utcMinute(app.clock.now())} by @operator`;
  expect(await answer()).toMatchObject({ rows: [{ title, text: 'Solana is slow.' }], problems: 1 });
});

it('the console shows only the first line of an error under Problems', async () => {
  const stack = 'Error: It broke\n    at run (worker.js:1)';
  await query("INSERT INTO job_failures (job, since, at, error) VALUES ('payments', 1, 1, ?)", stack);
  const failing = (await rowsOf('Problems')).find(({ title }) => title === 'payments fails');
  expect(failing?.text).toBe('Error: It broke');
});

it('an operator finds a signature or wallet in an explorer’s address, and reads that an unknown signature isn’t ours', async () => {
  const signature = '5'.repeat(88);
  const address = `https://explorer.solana.com/tx/${signature}?cluster=custom&customUrl=http%3A%2F%2Flocalhost`;
  for (const search of [signature, address]) {
    expect(await searchConsole(operator, search)).toMatchObject([
      { title: expect.stringMatching(/^Not ours, as far as we know/) as string, text: signature, links: [] },
    ]);
  }
  await query(
    'INSERT INTO unread_transactions (slot, is_retry, entries, has_priority) VALUES (1, 1, ?, 0)',
    JSON.stringify([[signature]]),
  );
  expect(await searchConsole(operator, address)).toMatchObject([
    { title: expect.stringMatching(/^Seen at our wallet/) as string },
  ]);
  await addOrphan(signature, 5_000_000);
  expect(await searchConsole(operator, address)).toMatchObject([
    { links: [{ to: 'payment', id: signature }] },
  ]);
});

it('all small orphans of a wallet that match no intent are resolved together', async () => {
  await addOrphan('dust', 150_000);
  await addOrphan('real', 50_000_000);
  await act(operator, { action: 'resolve_orphan', subjectId: 'stranger' });
  expect(await openOrphans()).toEqual(['real']);
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
  expect(await searchConsole(operator, call.id)).toEqual([]);
  expect(await searchConsole(operator, `paid_calls ${call.tokenSymbol}`)).toEqual([]);
  await expectRefusal(operator.get(`/api/operators/call/${call.id}`), 'operators.subject_not_found');
  for (const { text, links } of await rowsOf('Reports')) {
    expect(text).toContain('The call is open, so operators don’t see it.');
    expect(links.map(({ to }) => to)).toEqual(['person']);
  }
  const hide = { action: 'hide_text', kind: 'thesis', subjectId: call.id } as const;
  expect((await rowsOf('Reports')).flatMap(({ actions }) => actions)).toContainEqual(
    expect.objectContaining(hide),
  );
  await act(operator, hide);
  await readResponse(paid.patch(`/api/token-calls/${call.id}/end`));
  const texts = (await readSection(operator, `call/${call.id}`, 'Texts')).rows.map(({ title, text }) => [
    title,
    text,
  ]);
  expect(texts).toEqual([
    ['The thesis (hidden)', 'SECRET thesis'],
    ['The update', 'SECRET update'],
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
  const body = {
    action: 'delete_account',
    subjectId: caller.id,
    handle: caller.handle,
    reason: 'They asked us to.',
  };
  const { message, error } = await expectRefused(body, 'account.open_calls');
  expect(JSON.stringify([message, error])).not.toContain(call.tokenSymbol);
  await endCall({ caller, call, price: 3 });
  await act(operator, body);
  await expectRefusal(caller.get('/api/auth/user'), 'auth.required');
  await expectRefusal(operator.post('/api/operators/actions', body), 'operators.subject_deleted');
  expect(await readAudit()).toMatchObject([{ action: 'delete_account', subject_id: caller.id }]);
});

it('before an operator deletes a caller with paid subscribers, the console says when, who pays and what is owed, and the handle must be typed', async () => {
  const { caller: paid } = await createPaidCaller(app, { handle: 'paid_calls', fee: '0.5' });
  const from = app.clock.now();
  const { id: userId } = await app.signIn('payer');
  // Three periods of 30 days, one after the other.
  await insertPastPayments({ userId, callerId: paid.id, count: 3, from, tie: 3 });
  const path = `person/${paid.id}`;
  const { actions } = await readSection(operator, path, 'Account');
  const offered = actions.find(({ action }) => action === 'delete_account');
  const day = new Date(app.clock.now() + DELETION_MAX_WAIT_MS).toISOString().slice(0, 10);
  expect(offered?.detail).toContain('Because of 1 paid subscriber, ');
  expect(offered?.detail).toContain(`the account is deleted on ${day}`);
  // The caller's shares of two of the three.
  expect(offered?.detail).toContain('0.9 SOL is owed');
  const body = { action: 'delete_account', subjectId: paid.id };
  await expectRefused({ ...body, handle: 'paid_call' }, 'account.handle_mismatch');
  await act(operator, { ...body, handle: 'paid_calls' });
  expect(await act(operator, { ...body, handle: 'paid_calls' })).toMatchObject({ isDone: false });
  expect((await readConsole(operator, path)).badges).toContain('Will be deleted');
  expect(factsOf(await readSection(operator, path, 'Account'))).toMatchObject({
    'Will be deleted': expect.stringContaining(day) as string,
    'Until then': '1 paid subscriber. For the time after that, 0.9 SOL is owed to them.',
  });
  await act(operator, { action: 'keep_account', subjectId: paid.id });
  expect((await readConsole(operator, path)).badges).toEqual([]);
  expect((await readAudit()).map(({ action }) => action)).toEqual(['delete_account', 'keep_account']);
  await act(operator, { ...body, handle: 'paid_calls' });
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

import { beforeEach, expect, it } from 'vitest';
import { REPORT_REASONS, REPORTS_PER_DAY } from '#schema/constants/people.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import {
  createCaller,
  createPaidCaller,
  endCall,
  makeCall,
  makeCallWithTexts,
  MINTS,
} from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { act, createOperatedApp, readSection } from '#test/people/operators.ts';
import type { Person, TestApp } from '#test/test-app.ts';
import { createId } from '#worker/shared/ids.ts';

let app: TestApp;
let operator: Person;
let caller: Person;
let reporter: Person;

beforeEach(async () => {
  ({ app, operator } = await createOperatedApp());
  ({ caller } = await createPaidCaller(app, { handle: 'paid_caller' }));
  reporter = await app.signIn('reporter');
});

const report = (person: Person, body: object) => person.post('/api/reports', { reason: 'scam', ...body });
const listReported = async () => (await readSection(operator, 'now', 'Reports')).rows;

it('a report of a caller, a call or an update reaches the operators with its reason and text', async () => {
  const { call, updateId } = await makeCallWithTexts({ caller });
  await endCall({ caller, call, price: 3 });
  await readResponse(report(reporter, { kind: 'caller', id: caller.id, text: '  Not the real one.  ' }), 201);
  await app.advance(1);
  await readResponse(report(reporter, { kind: 'call', id: call.id, reason: 'paid_promotion' }), 201);
  await app.advance(1);
  await readResponse(report(reporter, { kind: 'update', id: updateId, reason: 'abuse' }), 201);
  const [ofUpdate, ofCall, ofCaller] = await listReported();
  const toCall = { to: 'call', id: call.id, text: 'Call' };
  const person = { to: 'person', id: caller.id, text: '@paid_caller' };
  expect(ofUpdate).toMatchObject({
    title: '1 report: update of @paid_caller',
    text: 'abuse, by @reporter',
    links: [person, toCall],
    actions: [
      { action: 'resolve_reports' },
      { action: 'hide_text', kind: 'update', subjectId: updateId },
      {},
    ],
  });
  expect(ofCall).toMatchObject({
    title: '1 report: call of @paid_caller',
    text: 'paid promotion, by @reporter',
    links: [person, toCall],
    actions: [{ action: 'resolve_reports' }, { action: 'hide_text', kind: 'thesis', subjectId: call.id }, {}],
  });
  expect(ofCaller).toMatchObject({
    title: '1 report: caller of @paid_caller',
    text: 'scam, by @reporter: Not the real one.',
    links: [person],
    actions: [{}, { action: 'hide_text', kind: 'bio' }, { action: 'suspend', subjectId: caller.id }],
  });
  const texts = (await readSection(operator, `call/${call.id}`, 'Texts')).rows.map(({ text }) => text);
  expect(texts).toEqual(['A thesis', 'An update']);
});

it('open reports count once per person, and the most reported subject is listed first', async () => {
  const other = await createCaller(app, 'other_caller');
  await readResponse(report(reporter, { kind: 'caller', id: other.id }), 201);
  const second = await app.signIn('second');
  for (const person of [reporter, reporter, second]) {
    await app.advance(1);
    await readResponse(report(person, { kind: 'caller', id: caller.id }), 201);
  }
  const counts = async () => (await listReported()).map(({ id, title }) => [id, title]);
  expect(await counts()).toEqual([
    [`caller ${caller.id}`, '2 reports: caller of @paid_caller'],
    [`caller ${other.id}`, '1 report: caller of @other_caller'],
  ]);
  await act(operator, { action: 'resolve_reports', kind: 'caller', subjectId: caller.id });
  expect((await counts()).map(([id]) => id)).toEqual([`caller ${other.id}`]);
  await act(operator, { action: 'suspend', subjectId: other.id });
  const [{ actions } = { actions: [] }] = await listReported();
  expect(actions.map(({ action }) => action)).toEqual(['resolve_reports', 'hide_text']);
  await readResponse(report(reporter, { kind: 'caller', id: caller.id }), 201);
  expect(await counts()).toContainEqual([`caller ${caller.id}`, '1 report: caller of @paid_caller']);
});

it('a repeated report of the same subject changes nothing, and the response says that the report is a repetition', async () => {
  const first = { kind: 'caller', id: caller.id, reason: 'scam', text: 'Asks for money.' };
  expect(await readResponse(report(reporter, first), 201)).toMatchObject({ isNew: true });
  const second = { ...first, reason: 'abuse', text: 'Insults people.' };
  expect(await readResponse(report(reporter, second), 201)).toEqual({
    isNew: false,
    message: expect.stringContaining('You have reported this already') as string,
  });
  expect(await listReported()).toMatchObject([
    { title: '1 report: caller of @paid_caller', text: 'scam, by @reporter: Asks for money.' },
  ]);
});

it('a report needs a known reason and a short text', async () => {
  const body = { kind: 'caller', id: caller.id, reason: 'scam' };
  for (const wrong of [
    { reason: 'other reason' },
    { text: 'x'.repeat(501) },
    { kind: 'person' },
    { id: '' },
  ]) {
    await expectRefusalWithoutTrace(() => report(reporter, { ...body, ...wrong }), 'request.invalid');
  }
  for (const reason of REPORT_REASONS) await readResponse(report(reporter, { ...body, reason }), 201);
});

it('a report of the reporter’s own page or calls is refused', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await expectRefusalWithoutTrace(() => report(caller, { kind: 'caller', id: caller.id }), 'reports.own');
  await expectRefusalWithoutTrace(() => report(caller, { kind: 'call', id: call.id }), 'reports.own');
});

it('a report of a hidden subject gets the same 404 as a report of an unknown subject', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await readResponse(caller.post('/api/telegram/send-update', { callId: call.id, message: 'Buy more.' }));
  const [update] = await query<{ id: string }>('SELECT id FROM call_updates');
  const unknown = await (await report(reporter, { kind: 'call', id: createId() })).text();
  for (const hidden of [
    { kind: 'call', id: call.id },
    { kind: 'update', id: update?.id },
    // A person who isn't a caller.
    { kind: 'caller', id: operator.id },
  ]) {
    await expectRefusalWithoutTrace(() => report(reporter, hidden), 'reports.not_found');
    expect(await (await report(reporter, hidden)).text()).toBe(unknown);
  }
});

it(`a person can send ${REPORTS_PER_DAY} reports a day`, async () => {
  for (let sent = 0; sent < REPORTS_PER_DAY; sent++) {
    await readResponse(report(reporter, { kind: 'caller', id: caller.id }), 201);
  }
  await expectRefusalWithoutTrace(
    () => report(reporter, { kind: 'caller', id: caller.id }),
    'reports.too_many',
  );
  await app.advance(DAY_MS / REPORTS_PER_DAY);
  await readResponse(report(reporter, { kind: 'caller', id: caller.id }), 201);
});

it('a report is not shown to the reported caller', async () => {
  await readResponse(report(reporter, { kind: 'caller', id: caller.id, text: 'From me.' }), 201);
  for (const path of ['/api/auth/user', `/api/callers/${caller.id}`, '/api/telegram/deliveries']) {
    expect(await (await caller.get(path)).text()).not.toMatch(/reporter|From me/);
  }
});

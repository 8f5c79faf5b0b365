import { beforeEach, describe, expect, it } from 'vitest';
import { DOCUMENT_VERSIONS } from '#schema/constants/people.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { createPaidCaller } from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { query } from '#test/database/database.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import {
  claimBody,
  openIntent,
  pay,
  send,
  waitUntilConfirmed,
  signPayment,
} from '#test/payments/payments.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let person: Person;

beforeEach(async () => {
  app = await createTestApp();
  person = await app.signIn('newcomer', { hasAcceptedTerms: false });
});

const accept = (body: object = DOCUMENT_VERSIONS) => person.post('/api/user/acceptances', body);
const becomeCaller = () => person.post('/api/user/become-caller', { subscriptionPrice: '' });
const openPayment = (callerId: string) => person.post('/api/solana/get-latest-blockhash', { callerId });
const currentUser = async () => readResponse<CurrentUser>(person.get('/api/auth/user'));

/** Changes the stored acceptance of the risks to an earlier version. */
async function makeAcceptanceOld(): Promise<void> {
  await query('DROP TRIGGER acceptances_update');
  await query("UPDATE acceptances SET version = '2020-01-01' WHERE document = 'risk'");
}

it('accepting the terms stores each document once, with its version and the time of the first acceptance', async () => {
  expect((await currentUser()).mustAcceptTerms).toBe(true);
  expect(await readResponse<CurrentUser>(accept(), 201)).toMatchObject({ mustAcceptTerms: false });
  const at = app.clock.now();
  await app.advance(MINUTE_MS);
  await readResponse(accept(), 201);
  expect(await query('SELECT document, version, at FROM acceptances ORDER BY document')).toEqual(
    Object.entries(DOCUMENT_VERSIONS)
      .map(([document, version]) => ({ document, version, at }))
      .toSorted((one, other) => one.document.localeCompare(other.document)),
  );
  expect((await currentUser()).mustAcceptTerms).toBe(false);
});

it('accepting the terms is refused for an outdated version, and for a body without all documents', async () => {
  await expectRefusalWithoutTrace(
    () => accept({ ...DOCUMENT_VERSIONS, privacy: '2020-01-01' }),
    'terms.outdated',
  );
  await expectRefusalWithoutTrace(() => accept({ terms: DOCUMENT_VERSIONS.terms }), 'request.invalid');
});

it('acceptances of the terms are append-only in the database', async () => {
  await readResponse(accept(), 201);
  await expect(query("UPDATE acceptances SET version = 'other'")).rejects.toThrow('never changed');
  await expect(query('DELETE FROM acceptances')).rejects.toThrow('never deleted');
});

it('becoming a caller is refused before the terms are accepted', async () => {
  await expectRefusalWithoutTrace(becomeCaller, 'terms.not_accepted');
  await readResponse(accept(), 201);
  await readResponse(becomeCaller(), 201);
});

it('opening a payment is refused before the terms are accepted', async () => {
  const { caller } = await createPaidCaller(app);
  await expectRefusalWithoutTrace(() => openPayment(caller.id), 'terms.not_accepted');
  await readResponse(accept(), 201);
  await readResponse(openPayment(caller.id), 201);
});

it('a user can follow a Free caller without accepting the terms', async () => {
  const { id: callerId } = await app.signIn('free_caller');
  await insertRows('callers', [{ caller_id: callerId }]);
  await readResponse(person.post('/api/subscriptions/free', { callerId }), 201);
});

describe('with accepted terms', () => {
  beforeEach(async () => {
    await readResponse(accept(), 201);
  });

  it('after a document changes, the next payment needs a new acceptance, and paid access continues', async () => {
    const { caller } = await createPaidCaller(app);
    await pay({ person, callerId: caller.id });
    await makeAcceptanceOld();
    expect((await currentUser()).mustAcceptTerms).toBe(true);
    await expectRefusalWithoutTrace(() => openPayment(caller.id), 'terms.not_accepted');
    await readResponse(person.get(`/api/token-calls/caller/${caller.id}/active`));
    await readResponse(accept(), 201);
    await readResponse(openPayment(caller.id), 201);
  });

  it('a payment that was opened before a document changes can still finish', async () => {
    const { caller } = await createPaidCaller(app);
    const payer = await createFundedWallet(2);
    const terms = await openIntent(person, caller.id);
    await makeAcceptanceOld();
    const { result: signature } = await readResponse<{ result: string }>(
      send(person, signPayment({ terms, payer })),
    );
    await waitUntilConfirmed(app);
    await readResponse(
      person.post('/api/subscriptions', claimBody({ terms, callerId: caller.id, signature })),
      201,
    );
  });

  it('after a document changes, a caller can still change the fee', async () => {
    await readResponse(becomeCaller(), 201);
    await makeAcceptanceOld();
    await readResponse(person.patch('/api/user/caller-profile', { monthlyFee: '0.5' }));
    await expectRefusal(becomeCaller(), 'users.already_caller');
  });
});

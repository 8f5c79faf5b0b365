import { beforeEach, expect, it } from 'vitest';
import { THESIS_MAX_LENGTH } from '#schema/constants/market.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { callBody, createCaller, endCall, MINTS, type CallTexts } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

const { WIF } = MINTS;
let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
  await control('POST', '/prices', { mint: WIF, price: 2 });
});

const postCall = (terms: object, entryPrice = '2') =>
  caller.post('/api/token-calls', { ...callBody({ caller, mint: WIF, entryPrice }), ...terms });
const makeCallWith = (terms: CallTexts) => readResponse<TokenCall>(postCall(terms), 201);

it('the lists of calls have a call’s thesis, target, stop and paid-promotion flag after its end', async () => {
  const terms = {
    thesis: 'The hat stays on.\nTwo listings are near.',
    targetPrice: '3.5',
    stopPrice: '1.25',
    isPaidPromotion: true,
  };
  const call = await makeCallWith(terms);
  expect(call).toMatchObject(terms);
  await endCall({ caller, call, price: 3 });
  for (const path of [
    '/api/token-calls/ended',
    `/api/token-calls/caller/${caller.id}`,
    `/api/token-calls/caller/${caller.id}/history`,
  ]) {
    expect(await readResponse(app.request(path))).toEqual([
      expect.objectContaining({ id: call.id, ...terms }),
    ]);
  }
});

const noTerms = { thesis: null, targetPrice: null, stopPrice: null, isPaidPromotion: false };
it.each<[string, object]>([
  ['missing fields', {}],
  ['null', { thesis: null, targetPrice: null, stopPrice: null }],
  ['an empty text', { thesis: '' }],
  ['invisible characters', { thesis: ' \u200B\u2060 \u202E\uFEFF' }],
])('a call posted with %s as its terms has no thesis, target, stop or promotion', async (_name, terms) => {
  expect(await postCall(terms).then((response) => readResponse(response, 201))).toMatchObject(noTerms);
  expect(await query('SELECT thesis, target_price, stop_price, is_paid_promotion FROM calls')).toEqual([
    { thesis: null, target_price: null, stop_price: null, is_paid_promotion: 0 },
  ]);
});

it.each([
  ['  trimmed \n', 'trimmed'],
  ['<script>alert(1)</script> & *stars*', '<script>alert(1)</script> & *stars*'],
  [`  ${'x'.repeat(THESIS_MAX_LENGTH)}  `, 'x'.repeat(THESIS_MAX_LENGTH)],
  ['🪁'.repeat(THESIS_MAX_LENGTH), '🪁'.repeat(THESIS_MAX_LENGTH)],
])(
  'the thesis of a call is stored unchanged, except white space at its start and end: %j',
  async (thesis, saved) => expect(await makeCallWith({ thesis })).toMatchObject({ thesis: saved }),
);

it('a call’s target and stop are checked against the server’s price, not the price that the caller saw', async () => {
  const { message } = await expectRefusalWithoutTrace(
    () => postCall({ targetPrice: '2.03' }, '1.95'),
    'calls.target_invalid',
  );
  expect(message).toContain(' $2.');
  await readResponse(postCall({ targetPrice: '2.04', stopPrice: '1.96' }, '2.05'), 201);
});

const notPrices = ['', '0', 'abc', '1e3', 3];
it('making a call with an invalid text, flag or price is refused, and the error names the field', async () => {
  for (const [field, values] of [
    ['thesis', ['x'.repeat(THESIS_MAX_LENGTH + 1), '🪁'.repeat(THESIS_MAX_LENGTH + 1), 7, ['x']]],
    ['isPaidPromotion', ['yes', null]],
    ['targetPrice', notPrices],
    ['stopPrice', notPrices],
  ] as const) {
    for (const value of values) {
      const { error } = await expectRefusalWithoutTrace(
        () => postCall({ [field]: value }),
        'request.invalid',
      );
      expect([value, error['field']]).toEqual([value, field]);
    }
  }
});

it.each([
  [{ targetPrice: '2.05' }, 'calls.target_invalid'],
  [{ stopPrice: '1.97' }, 'calls.stop_invalid'],
  [{ targetPrice: '20101' }, 'calls.target_invalid'],
] as const)(
  'making a call with the terms %j is refused, and the error contains the entry price',
  async (terms, code) => {
    await control('POST', '/prices', { mint: WIF, price: 2.01 });
    const { message, error } = await expectRefusalWithoutTrace(() => postCall(terms), code);
    expect(message).toMatch(
      /^A (target|stop) must be at least 2% (above|below) the entry price.*\. The entry price is now \$2\.01\./,
    );
    expect(error['entryPrice']).toBe('2.01');
  },
);

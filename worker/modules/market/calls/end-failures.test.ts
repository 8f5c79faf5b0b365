import { beforeEach, expect, it, vi } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import { expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { createCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { breakSource, type SourceName } from '#test/price-sources.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

// One pair of responses for each outcome. schema/rules/prices/quotes.test.ts has all pairs.

interface Response {
  readonly price?: number | string | null;
  /** Only Jupiter reports the age. */
  readonly ageMs?: number;
  readonly fault?: object;
}

const MINT = MINTS.WIF;
const DOWN = { fault: { drop: true } };
const FAILING = { fault: { status: 503 } };
const LIMITED = { fault: { status: 429 } };
const ABSENT = { price: null };
const STALE = { price: 9, ageMs: 61 * SECOND_MS };
const three = { price: 3 };

let app: TestApp;
let caller: Person;
let call: TokenCall;

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
  call = await makeCall({ caller, mint: MINT, price: 2 });
  await app.advance(MINUTE_MS);
});

const end = () => caller.patch(`/api/token-calls/${call.id}/end`);

async function respond(responses: Readonly<Record<SourceName, Response>>): Promise<void> {
  for (const source of ['jupiter', 'dexscreener'] as const) {
    const { price = null, ageMs = 0, fault } = responses[source];
    await control('POST', '/prices', { mint: MINT, source, price, ageMs });
    if (fault) await breakSource(source, fault);
  }
}

it.each<[from: SourceName, price: string, jupiter: Response, dexscreener: Response]>([
  ['jupiter', '3', three, three],
  ['jupiter', '2.97', { price: 2.97 }, three],
  ['dexscreener', '2.97', three, { price: 2.97 }],
  ['jupiter', '1000000000000000', { price: 1e15 }, { price: 1e15 }],
  ['jupiter', '0.000000000000000001', { price: 1e-18 }, { price: 1e-18 }],
  ['jupiter', '3', { ...three, ageMs: 58 * SECOND_MS }, DOWN],
  ['dexscreener', '3', DOWN, three],
  ['dexscreener', '3', STALE, three],
])(
  'ending a call records %s’s price %s if Jupiter responds %j and DexScreener %j',
  async (from, price, jupiter, dexscreener) => {
    await respond({ jupiter, dexscreener });
    const endedAt = app.clock.now();
    expect(await readResponse(end())).toMatchObject({
      endPrice: price,
      changePercent: ((Number(price) - 2) / 2) * 100,
      isActive: false,
    });
    const quotes = await query<{ source: SourceName; is_recorded: number; quoted_at: number }>(
      "SELECT source, is_recorded, quoted_at FROM price_quotes WHERE side = 'end' ORDER BY source",
    );
    expect(quotes.map(({ source, is_recorded: recorded }) => [source, recorded])).toEqual([
      ['dexscreener', Number(from === 'dexscreener')],
      ['jupiter', Number(from === 'jupiter')],
    ]);
    // The stored time of Jupiter's price is the time of its block, in whole seconds.
    const ageMs = endedAt - (quotes[1]?.quoted_at ?? 0);
    expect(Math.abs(ageMs - (jupiter.ageMs ?? 0))).toBeLessThan(1.5 * SECOND_MS);
  },
);

const BUSY = "we can't ask for more prices right now. Nothing was recorded. Try again in 3 seconds.";
const DISAGREE = 'the price sources disagree by over 3%. Try again in a minute.';

// Specification 8.27
it.each<[why: string, code: ErrorCode, jupiter: Response, dexscreener: Response]>([
  ['could not fetch current price', 'prices.unavailable', DOWN, FAILING],
  ['no source has a price for this token. Try again later.', 'prices.missing', ABSENT, DOWN],
  ['the newest price is over 60 seconds old. Try again in a minute.', 'prices.stale', STALE, ABSENT],
  [BUSY, 'prices.busy', LIMITED, three],
  [BUSY, 'prices.busy', three, LIMITED],
  [DISAGREE, 'prices.disagree', { price: 9 }, three],
  [DISAGREE, 'prices.disagree', { price: 'abc' }, three],
])(
  'ending a call is refused with the reason “%s” (%s) if Jupiter responds %j and DexScreener %j',
  async (why, code, jupiter, dexscreener) => {
    await respond({ jupiter, dexscreener });
    const { message } = await expectRefusalWithoutTrace(end, code);
    expect(message).toBe(`Failed to end token call - ${why}`);
  },
);

it('ending a call is refused if only Jupiter has a price and the chain can’t tell the price’s age', async () => {
  await respond({ jupiter: three, dexscreener: ABSENT });
  await control('POST', '/faults', { service: 'solana', status: 500, path: 'getSlot' });
  const { message } = await expectRefusalWithoutTrace(end, 'prices.undated');
  expect(message).toBe(
    "Failed to end token call - we can't tell how old the newest price is, because Solana doesn't respond. " +
      'Try again in a minute.',
  );
});

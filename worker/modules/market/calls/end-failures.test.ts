import { expect, inject, it, vi } from 'vitest';
import { CALL_ATTEMPTS } from '#schema/constants/market.ts';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import { FETCH_TIMEOUT_MS } from '../../../adapters/fetch-json.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createCaller, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { addDerivedRows } from '#test/derived-rows.ts';
import { createRandom, type Random } from '#test/seeded-random.ts';
import { control, createTestApp, testEnv } from '#test/test-app.ts';

// Ends calls while both price sources and the chain are in random states. `expectedOutcome` computes the outcome from
// these states without the product's rules.

const ENDS = inject('isDeep') ? 1_000 : 100;
const SEED = 20_260_601;
const MINT = MINTS.WIF;
const SOURCES = ['jupiter', 'dexscreener'] as const;
type Source = (typeof SOURCES)[number];

/** How often a source shows each behaviour. */
const WEIGHTS = {
  priced: 8,
  near: 3,
  apart: 2,
  down: 1,
  refused: 1,
  limited: 1,
  delayed: 2,
  absent: 1,
  zero: 1,
  negative: 1,
  text: 1,
  stale: 2,
  huge: 1,
  tiny: 1,
};
type Kind = keyof typeof WEIGHTS;
const KINDS = Object.entries(WEIGHTS).flatMap(([kind, weight]) => Array<Kind>(weight).fill(kind as Kind));

interface State {
  readonly kind: Kind;
  /** The price in the source's response, and the decimal that the product stores for it: null if it's invalid. */
  readonly price?: {
    readonly sent: number | string | null;
    readonly ageMs: number;
    readonly stored: string | null;
  };
}

interface Scene {
  readonly jupiter: State;
  readonly dexscreener: State;
  readonly isChainDown: boolean;
}

/** Formats cents. The market price is in cents, so percentages of it are exact. */
const dollars = (cents: number) => (cents / 100).toFixed(2).replace(/\.?0+$/, '');

function randomState(random: Random, marketCents: number): State {
  const kind = random.pick(KINDS);
  const priced = (
    sent: number | string | null,
    stored: string | null,
    ageMs = random.between(0, 59) * SECOND_MS,
  ) => ({ kind, price: { sent, stored, ageMs } });
  const atMarket = (percent: number, ageMs?: number) => {
    const text = dollars((marketCents * (100 + percent)) / 100);
    return priced(Number(text), text, ageMs);
  };
  switch (kind) {
    case 'down':
    case 'refused':
    case 'limited':
    case 'delayed':
      return { kind };
    case 'priced':
      return atMarket(0);
    case 'near':
      return atMarket(random.pick([-1, 1]));
    case 'apart':
      return atMarket(random.pick([-60, -5, 5, 9, 300]));
    case 'stale':
      return atMarket(random.pick([0, 1, 50]), random.between(61, 7_200) * SECOND_MS);
    case 'absent':
      return priced(null, null);
    case 'zero':
      return priced(random.pick<number | string>([0, '0', '0.000']), null);
    case 'negative':
      return priced(-marketCents / 100, null);
    case 'text':
      return priced(random.pick(['NaN', 'abc', '', '1,5', 'Infinity']), null);
    case 'huge':
      return priced(1e15, '1000000000000000');
    case 'tiny':
      return priced(1e-18, '0.000000000000000001');
  }
}

const MESSAGES = {
  'prices.unavailable': 'Failed to end token call - could not fetch current price',
  'prices.missing': 'Failed to end token call - no source has a price for this token. Try again later.',
  'prices.stale':
    'Failed to end token call - the newest price is over 60 seconds old. Try again in a minute.',
  'prices.undated':
    "Failed to end token call - we can't tell how old the newest price is, because Solana doesn't respond. " +
    'Try again in a minute.',
  'prices.disagree':
    'Failed to end token call - the price sources disagree by over 3%. Try again in a minute.',
  'prices.busy':
    "Failed to end token call - we can't ask for more prices right now. Nothing was recorded. " +
    'Try again in 30 seconds.',
} as const satisfies Partial<Record<ErrorCode, string>>;
type Outcome = keyof typeof MESSAGES | { readonly source: Source; readonly price: string };

const FAILING: readonly Kind[] = ['down', 'refused', 'delayed'];
const INVALID: readonly Kind[] = ['zero', 'negative', 'text'];

/** The expected outcome. Only Jupiter's price has a slot, and only the chain can convert a slot to an age. */
function expectedOutcome({ jupiter, dexscreener, isChainDown }: Scene): Outcome {
  if (jupiter.kind === 'limited' || dexscreener.kind === 'limited') return 'prices.busy';
  const sources = [
    { source: 'jupiter', state: jupiter, isOld: jupiter.kind === 'stale' && !isChainDown },
    { source: 'dexscreener', state: dexscreener, isOld: false },
  ] as const;
  const priced = sources.flatMap(({ source, state, isOld }) =>
    state.price?.stored ? [{ source, price: state.price.stored, isOld }] : [],
  );
  const fresh = priced.filter(({ isOld }) => !isOld);
  const [first, second] = fresh;
  // Without the chain, the age of Jupiter's price is unknown, so DexScreener must confirm it.
  const isOfUnknownAge = isChainDown && first?.source === 'jupiter' && second === undefined;
  if (first && !isOfUnknownAge) {
    if (INVALID.includes(jupiter.kind) || INVALID.includes(dexscreener.kind)) return 'prices.disagree';
    if (
      second &&
      Math.abs(Number(second.price) - Number(first.price)) > Number(first.price) * 0.03 * (1 + 1e-9)
    ) {
      return 'prices.disagree';
    }
    const isSecondLower = second !== undefined && Number(second.price) < Number(first.price);
    const { source, price } = isSecondLower ? second : first;
    return { source, price };
  }
  if (first) return 'prices.undated';
  if (priced.length > 0) return 'prices.stale';
  return sources.every(({ state }) => FAILING.includes(state.kind)) ? 'prices.unavailable' : 'prices.missing';
}

/** Between `begin` and `end`, makes requests to the sources and the chain fail as the scene describes. */
function mockScenes() {
  const { fetch } = globalThis;
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const clocks = new Map<AbortSignal, AbortController>();
  let scene: Scene | null = null;
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    if (milliseconds !== FETCH_TIMEOUT_MS) return timeout(milliseconds);
    const controller = new AbortController();
    clocks.set(controller.signal, controller);
    return controller.signal;
  });
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    const isOfChain = url === testEnv.SOLANA_RPC_URL || url === testEnv.SOLANA_FALLBACK_RPC_URL;
    if (isOfChain && scene?.isChainDown) return Promise.reject(new TypeError('Network connection lost.'));
    const source = SOURCES.find((each) => url.includes(`/${each}/`));
    switch (source && scene?.[source].kind) {
      case 'down':
        return Promise.reject(new TypeError('Network connection lost.'));
      case 'refused':
        return Promise.resolve(new Response('down', { status: 503 }));
      case 'limited':
        return Promise.resolve(new Response('no', { status: 429, headers: { 'Retry-After': '30' } }));
      case 'delayed':
        return new Promise((_resolve, reject) => {
          const signal = init?.signal ?? null;
          const controller = signal === null ? undefined : clocks.get(signal);
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
          // Triggers the product's five-second timeout at once. A request without a timeout would hang.
          controller?.abort(new DOMException('The operation timed out.', 'TimeoutError'));
        });
      default:
        return fetch(input, init);
    }
  });
  return { begin: (next: Scene) => void (scene = next), end: () => void (scene = null) };
}

const rowsOf = async (id: string) => {
  const read = await testEnv.DB.batch([
    testEnv.DB.prepare('SELECT * FROM calls WHERE id = ?').bind(id),
    testEnv.DB.prepare('SELECT * FROM price_quotes WHERE call_id = ? ORDER BY side, source').bind(id),
    testEnv.DB.prepare('SELECT * FROM callers'),
  ]);
  return read.map(({ results }) => results);
};

// Specification 8.27
it('ending a call records a price that no source contradicts, or is refused with the reason', async () => {
  const random = createRandom(SEED);
  const app = await createTestApp();
  const caller = await createCaller(app, 'caller');
  const scenes = mockScenes();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const counts: Record<string, number> = {};
  const usedKinds = new Set<string>();
  let call = { id: '', entryPrice: '' };
  let before: unknown[] | null = null;
  let isReady = true;

  for (let round = 0; round < ENDS; round++) {
    // Wait until the caller may try again and until the rate-limited sources and endpoints accept requests again.
    await app.advance(isReady ? CALL_ATTEMPTS.everyMs : MINUTE_MS + random.between(0, 1_000));
    const marketCents = random.between(1, 500) * 100;
    if (before === null) {
      call = { id: `call-${round}`, entryPrice: String(random.between(1, 500)) };
      const row = { caller_id: caller.id, token_mint: MINT, called_at: app.clock.now() };
      await insertRows('calls', [{ ...row, id: call.id, entry_price: call.entryPrice }]);
      await addDerivedRows();
      before = await rowsOf(call.id);
    }
    const scene: Scene = {
      jupiter: randomState(random, marketCents),
      dexscreener: randomState(random, marketCents),
      isChainDown: random.between(1, 5) === 1,
    };
    await control(
      'POST',
      '/prices',
      SOURCES.map((source) => ({
        mint: MINT,
        source,
        price: scene[source].price?.sent ?? null,
        ageMs: scene[source].price?.ageMs ?? 0,
      })),
    );
    const context = JSON.stringify({ round, ...scene });
    isReady = !scene.isChainDown && scene.jupiter.kind !== 'limited' && scene.dexscreener.kind !== 'limited';
    const requestedAt = app.clock.now();

    scenes.begin(scene);
    const response = await caller.patch(`/api/token-calls/${call.id}/end`);
    scenes.end();

    const expected = expectedOutcome(scene);
    usedKinds.add(scene.jupiter.kind).add(scene.dexscreener.kind);
    const outcome = typeof expected === 'string' ? expected : `ended by ${expected.source}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (typeof expected === 'string') {
      const { message } = await expectRefusal(response, expected).catch((error: unknown) => {
        throw new Error(context, { cause: error });
      });
      expect(message, context).toBe(MESSAGES[expected]);
      expect(await rowsOf(call.id), context).toEqual(before);
      continue;
    }
    expect(response.status, context).toBe(200);
    const ended = await readResponse<TokenCall>(response);
    const change = ((Number(expected.price) - Number(call.entryPrice)) / Number(call.entryPrice)) * 100;
    expect(ended, context).toMatchObject({
      id: call.id,
      isActive: false,
      endPrice: expected.price,
      changePercent: change,
    });
    const quotes = await query<{
      source: Source;
      price: string | null;
      is_recorded: number;
      quoted_at: number;
    }>(
      `SELECT source, price, is_recorded, quoted_at
           FROM price_quotes
           WHERE call_id = ? AND side = 'end'
           ORDER BY source`,
      call.id,
    );
    expect(
      quotes.map(({ source, price, is_recorded }) => ({ source, price, is_recorded })),
      context,
    ).toEqual(
      SOURCES.toSorted().map((source) => ({
        source,
        price: scene[source].price?.stored ?? null,
        is_recorded: Number(source === expected.source),
      })),
    );
    const recorded = quotes.find(({ is_recorded }) => is_recorded === 1);
    expect(requestedAt - (recorded?.quoted_at ?? 0), context).toBeLessThanOrEqual(MINUTE_MS);
    // The stored time must be the time of Jupiter's slot.
    if (expected.source === 'jupiter' && !scene.isChainDown) {
      expect(
        Math.abs(requestedAt - (recorded?.quoted_at ?? 0) - (scene.jupiter.price?.ageMs ?? 0)),
        context,
      ).toBeLessThan(400);
    }
    before = null;
  }

  console.log(JSON.stringify({ ends: ENDS, ...counts }));
  expect([...usedKinds].toSorted()).toEqual([...new Set(KINDS)].toSorted());
  expect(Object.keys(counts).toSorted()).toEqual(
    ['ended by dexscreener', 'ended by jupiter', ...Object.keys(MESSAGES)].toSorted(),
  );
  for (const [outcome, count] of Object.entries(counts)) {
    expect(count, outcome).toBeGreaterThanOrEqual(ENDS / 100);
  }
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(ENDS);
});

import { expect } from 'vitest';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { query } from '../database/database.ts';
import { createFundedWallet } from '../payments/chain.ts';
import { setPrice } from '../price-sources.ts';
import { expectRefusal, readResponse } from '../responses.ts';
import { createRandom, type Random } from '../seeded-random.ts';
import { control, type Person, type TestApp } from '../test-app.ts';
import { callBody, createCaller } from './callers.ts';
import { issueScaledToken, setMultiplier, type TestToken } from './tokens.ts';

interface TokenInPlay {
  readonly caller: Person;
  readonly token: TestToken;
  readonly mint: string;
  /** The multipliers on the chain, the oldest first. */
  readonly multipliers: number[];
  readonly entry: number;
  readonly mark: number;
  readonly end: number;
  call?: TokenCall;
}

const CALLS_PER_CALLER = 5;
const SPLITS = [0.01, 0.1, 0.5, 1.0057, 2, 3, 10, 50];
const SCHEDULED_MS = 10 * SECOND_MS;

/**
 * Asserts that calls of random scaled tokens end as if the tokens were unscaled. Their multipliers may change before
 * the mark and before the end. Each source may not have noticed the last change, or ignore multipliers.
 */
export async function checkRandomUnits(app: TestApp, { seed, count }: { seed: number; count: number }) {
  const random = createRandom(seed);
  const issuer = await createFundedWallet();
  const tokens: TokenInPlay[] = [];
  let caller: Person | undefined;
  for (let index = 0; index < count; index++) {
    if (index % CALLS_PER_CALLER === 0) caller = await createCaller(app, `caller_${index}`);
    if (caller === undefined) throw new Error('There is no caller');
    const multiplier = random.pick([1, 1, 1.0039, 5, 0.2]);
    const token = await issueScaledToken(issuer, multiplier);
    const entry = 10 ** random.between(-3, 4) * (1 + random.share());
    const prices = { entry, mark: entry * (0.7 + random.share()), end: entry * (0.5 + random.share()) };
    tokens.push({ caller, token, mint: token.mint.toBase58(), multipliers: [multiplier], ...prices });
  }
  const added = tokens.map(({ mint }) => ({
    mint,
    symbol: mint.slice(0, 8),
    name: mint,
    sentUrl: '',
    isVerified: true,
  }));
  await control('POST', '/tokens', added);
  await setPrice(WRAPPED_SOL_MINT, 150);
  await app.advance(MINUTE_MS);
  for (const each of tokens) {
    await pin(each, each.entry, random);
    const body = callBody({ ...each, entryPrice: String(each.entry), symbol: each.mint.slice(0, 8) });
    each.call = await readResponse<TokenCall>(each.caller.post('/api/token-calls', body), 201);
  }
  await changeSome(app, tokens, random);
  for (const each of tokens) await pin(each, each.mark, random);
  await app.advance(MINUTE_MS - SCHEDULED_MS - SECOND_MS);
  await app.services.priceMarks.record();
  await app.advance(20 * MINUTE_MS);
  await changeSome(app, tokens, random);
  for (const each of tokens) await checkEnd(each, random);
}

/** Schedules a new multiplier for two thirds of the tokens, and waits until it counts. */
async function changeSome(app: TestApp, tokens: readonly TokenInPlay[], random: Random): Promise<void> {
  const from = Math.ceil((app.clock.now() + SCHEDULED_MS) / SECOND_MS);
  for (const { token, multipliers } of tokens) {
    if (random.share() < 1 / 3) continue;
    // A scheduled change replaces the last multiplier, unless that was set without a schedule. So set it again first.
    const last = multipliers.at(-1) ?? 1;
    await setMultiplier(token, { multiplier: last });
    multipliers.push(last * random.pick(SPLITS));
    await setMultiplier(token, { multiplier: multipliers.at(-1) ?? 1, from });
  }
  await app.advance(SCHEDULED_MS + SECOND_MS);
}

async function pin({ mint, multipliers }: TokenInPlay, price: number, random: Random): Promise<void> {
  for (const source of ['jupiter', 'dexscreener'] as const) {
    const usedMultiplier = random.pick([1, ...multipliers.slice(-2)]);
    await control('POST', '/prices', { mint, price, source, usedMultiplier, liquidityUsd: 250_000 });
  }
}

/** A false second source ends no call, unless a multiplier explains it. */
async function checkFalseSource({ caller, mint, multipliers, end, call }: TokenInPlay, random: Random) {
  const share = random.pick([0.1, 0.5, 0.9, 1.1, 2, 3]);
  const units = [1, ...multipliers.slice(-2)];
  if (units.some((each) => units.some((used) => Math.abs((share * each) / used - 1) < 0.04))) return;
  await control('POST', '/prices', { mint, price: end, source: 'jupiter' });
  const usedMultiplier = random.pick(units);
  await control('POST', '/prices', { mint, price: end * share, source: 'dexscreener', usedMultiplier });
  await expectRefusal(caller.patch(`/api/token-calls/${call?.id}/end`), 'prices.disagree');
}

async function checkEnd(each: TokenInPlay, random: Random): Promise<void> {
  await checkFalseSource(each, random);
  await pin(each, each.end, random);
  const call = await readResponse<TokenCall>(each.caller.patch(`/api/token-calls/${each.call?.id}/end`));
  const [mark] = await query<{ price: string }>('SELECT price FROM price_marks WHERE call_id = ?', call.id);
  const told = JSON.stringify(each.multipliers);
  expect(call, told).toMatchObject({ unrankedReason: null, uncountedGainReason: null });
  expect(call.changePercent, told).toBeCloseTo((each.end / each.entry - 1) * 100, 6);
  expect(Number(mark?.price) / each.mark, told).toBeCloseTo(1, 9);
}

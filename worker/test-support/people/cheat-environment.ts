import { tokens } from '#dev/stand-ins/market/tokens.ts';
import type { RATE_SORTS } from '#schema/constants/market.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { CallerListItem } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { readResponse } from '../responses.ts';
import { callBody, createCaller } from './callers.ts';
import { query } from '../database/database.ts';
import { insertRows } from '../database/insert-rows.ts';
import { addDerivedRows } from '../derived-rows.ts';
import { control, createTestApp, type Person, type TestApp } from '../test-app.ts';

const [SOL, ...REAL] = tokens.filter(({ isReal, volatility }) => isReal && volatility > 0);
const MADE_UP = ['HEAVY', 'DUST0', 'DAYOLD'].map((name) => tokens.find(({ symbol }) => symbol === name));
/** Tokens that every price source of the local environment has, all with different symbols, BONK and WIF first. */
export const TOKENS: readonly string[] = [...REAL, SOL, ...MADE_UP].flatMap((token) => token?.mint ?? []);

export const DEEP_USD = 1_000_000;

/** Within the time in which a caller stays active. */
const CALL_EVERY_MS = 20 * DAY_MS;
/** The token of the honest callers' calls. No cheat that waits so long uses it. */
const HONEST_MINT = TOKENS[25] ?? '';

/** A price source's data about a token. Without `source`, both sources have it. */
export interface Pool {
  readonly price?: number | null;
  readonly source?: 'jupiter' | 'dexscreener';
  readonly liquidityUsd?: number | null;
  readonly volume24hUsd?: number | null;
  readonly poolAgeMs?: number | null;
  readonly ageMs?: number;
}

/** The orders by a number or time. Every honest call moves its caller up in the first two. */
export const COUNTS = ['totalCalls', 'lastCall', 'subscribers'] as const;
export type Order = (typeof RATE_SORTS)[number] | (typeof COUNTS)[number];

/**
 * Four callers: `honest` has a good record, `modest` an average record, `cheat` a slightly worse record, all of them
 * proven, and `fresh` has none.
 */
export interface CheatEnvironment {
  readonly app: TestApp;
  readonly honest: Person;
  readonly modest: Person;
  readonly cheat: Person;
  readonly fresh: Person;
  /** Sets market prices, by default with high liquidity. */
  pin(...pins: readonly (Pool & { readonly mint: string })[]): Promise<unknown>;
  /** Requests to open a call at `seenPrice`. Set the market price with `pin` first. */
  requestOpen(person: Person, mint: string, seenPrice: number): Promise<Response>;
  /** Opens a call at `price`, which these pools have. */
  open(person: Person, mint: string, price: number, ...pools: readonly Pool[]): Promise<TokenCall>;
  requestEnd(person: Person, call: TokenCall): Promise<Response>;
  end(person: Person, call: TokenCall, price: number, ...pools: readonly Pool[]): Promise<TokenCall>;
  /** Opens one call per change, waits for `heldMs`, and ends each call at its change in percent. */
  play(person: Person, changes: readonly number[], heldMs?: number): Promise<TokenCall[]>;
  /**
   * Advances the clock and signs all callers in again, because their sessions may have expired. The honest and the modest
   * caller make a call each CALL_EVERY_MS.
   */
  wait(milliseconds: number): Promise<void>;
  /** The caller's place in each of these orders, from 1. */
  placesOf(person: Person, orders: readonly Order[]): Promise<number[]>;
}

/** Twelve days of calls, as changes in percent. Followers made as much, and SOL stood still. */
export const RECORDS = {
  honest: [20, 12, 20, 12, 20, 12, 20, 12, 20, 12, 20, -2],
  modest: [8, 4, 8, 4, 8, 4, 8, 4, 8, 4, -1, -1],
  cheat: [4, 3, 4, 3, 4, 3, 4, 3, 4, -1, -1, -1],
} as const;
const RECORDED_DAYS = { honest: 50, modest: 49, cheat: 48 } as const;

/** Creates the callers with their records. */
export async function createCheatEnvironment(): Promise<CheatEnvironment> {
  const app = withMarks(await createTestApp());
  const handles = ['honest', 'modest', 'cheat', 'fresh'] as const;
  const people = Object.fromEntries(
    await Promise.all(handles.map(async (handle) => [handle, await createCaller(app, handle)] as const)),
  ) as Record<(typeof handles)[number], Person>;
  const environment = createEnvironment(app, people);
  await recordCalls(environment);
  return environment;
}

function createEnvironment(
  app: TestApp,
  people: Pick<CheatEnvironment, 'honest' | 'modest' | 'cheat' | 'fresh'>,
): CheatEnvironment {
  const pin: CheatEnvironment['pin'] = (...pins) =>
    control(
      'POST',
      '/prices',
      pins.map((each) => ({ liquidityUsd: DEEP_USD, ...each })),
    );
  const pinPools = (mint: string, price: number, [first = {}, ...others]: readonly Pool[]) =>
    pin(...[first, ...others].map((pool) => ({ mint, price, ...pool })));
  const requestOpen: CheatEnvironment['requestOpen'] = (person, mint, seenPrice) =>
    person.post(
      '/api/token-calls',
      callBody({ caller: person, mint, entryPrice: String(seenPrice), symbol: mint.slice(0, 6) }),
    );
  const requestEnd: CheatEnvironment['requestEnd'] = (person, { id }) =>
    person.patch(`/api/token-calls/${id}/end`);
  const open: CheatEnvironment['open'] = async (person, mint, price, ...pools) => {
    await pinPools(mint, price, pools);
    return readResponse<TokenCall>(requestOpen(person, mint, price), 201);
  };
  const end: CheatEnvironment['end'] = async (person, call, price, ...pools) => {
    await pinPools(call.tokenMint, price, pools);
    return readResponse<TokenCall>(requestEnd(person, call));
  };
  const playHonestly = async () => {
    const calls = [
      await open(people.honest, HONEST_MINT, 1),
      await open(people.modest, HONEST_MINT, 1),
    ] as const;
    await app.advance(HOUR_MS);
    await end(people.honest, calls[0], 1.12);
    await end(people.modest, calls[1], 1.04);
  };
  return {
    app,
    ...people,
    pin,
    requestOpen,
    requestEnd,
    open,
    end,
    async play(person, changes, heldMs = HOUR_MS) {
      const calls: TokenCall[] = [];
      for (const [index] of changes.entries()) calls.push(await open(person, TOKENS[index] ?? '', 1));
      await app.advance(heldMs);
      const ended: TokenCall[] = [];
      for (const [index, call] of calls.entries()) {
        ended.push(await end(person, call, 1 + (changes[index] ?? 0) / 100));
      }
      return ended;
    },
    async wait(milliseconds) {
      for (let left = milliseconds; left > 0; left -= CALL_EVERY_MS) {
        await app.advance(Math.min(left, CALL_EVERY_MS));
        for (const person of Object.values(people)) Object.assign(person, await app.signIn(person.handle));
        if (left >= CALL_EVERY_MS) await playHonestly();
      }
    },
    placesOf: (person, orders) =>
      Promise.all(
        orders.map(async (order) => {
          const rows = await readResponse<CallerListItem[]>(app.request(`/api/callers?sort=${order}`));
          return rows.findIndex(({ id }) => id === person.id) + 1;
        }),
      ),
  };
}

/** Lets the cron record marks and results in the first minutes of each wait. */
function withMarks(app: TestApp): TestApp {
  const advance = app.advance.bind(app);
  return Object.assign(app, {
    async advance(milliseconds: number) {
      let left = milliseconds;
      for (let minute = 0; minute < 3 && left >= MINUTE_MS; minute++) {
        await advance(MINUTE_MS);
        left -= MINUTE_MS;
        await app.services.priceMarks.record().catch(() => null);
        await app.services.followerResults.record();
      }
      await advance(left);
    },
  });
}

/** Inserts the callers' past calls. They are old enough not to count towards any limit. */
async function recordCalls({ app, ...people }: CheatEnvironment): Promise<void> {
  const names = Object.keys(RECORDS) as (keyof typeof RECORDS)[];
  await insertRows(
    'calls',
    names.flatMap((name, place) =>
      Array.from({ length: RECORDED_DAYS[name] }, (_, index) => {
        const change = RECORDS[name][index % RECORDS[name].length] ?? 0;
        const calledAt = app.clock.now() - (index + 2) * DAY_MS - place * MINUTE_MS;
        return {
          id: `${name}-${index}`,
          caller_id: people[name].id,
          token_mint: TOKENS[index % TOKENS.length] ?? '',
          called_at: calledAt,
          end_price: String(1 + change / 100),
          ended_at: calledAt + HOUR_MS,
          change_percent: change,
          follower_rule: 'marks',
          follower_ppm: change * 10_000,
          sol_ppm: change * 10_000,
          copied: JSON.stringify({ ppm: Array<number>(3).fill(change * 10_000), sol: 0 }),
        };
      }),
    ),
  );
  await addDerivedRows();
  for (const [place, name] of [...names, 'fresh' as const].entries()) {
    await query(
      'UPDATE callers SET paying_count = ? WHERE caller_id = ?',
      names.length - place,
      people[name].id,
    );
  }
}

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START = Date.UTC(2026, 5, 1);

export interface PlannedEvent {
  readonly at: number;
  readonly caller: string;
  readonly kind: 'opened' | 'updated' | 'ended' | 'name' | 'moderated';
  readonly call?: string;
  readonly mint?: string;
  /** The entry price or end price. */
  readonly price?: string;
  readonly text?: string;
  readonly handle?: string;
  readonly action?: string;
  readonly unranked?: string;
  readonly uncounted?: string;
}

export interface Plan {
  readonly seed: number;
  readonly minutes: readonly { readonly at: number; readonly events: readonly PlannedEvent[] }[];
  /** The current time in tests: an hour after the last of `minutes`. Unix ms. */
  readonly now: number;
}

export type Random = (from: number, to: number) => number;

export function createRandom(seed: number): Random {
  // Hash the seed, because generators with consecutive seeds begin with the same numbers.
  const generator = xoroshiro128plus(Math.imul(seed ^ (seed >>> 15), 0x9e3779b1));
  for (let skipped = 0; skipped < 20; skipped += 1) generator.next();
  return (from, to) => uniformInt(generator, from, to);
}

const priceOf = (random: Random) => `0.${String(random(1, 999_999)).padStart(6, '0')}`;

interface CallPlan {
  readonly caller: string;
  readonly call: string;
  readonly from: number;
  readonly random: Random;
}

/** Plans a call's events: most calls end, some gains are short, some calls are unranked. */
function planCall({ caller, call, from, random }: CallPlan): PlannedEvent[] {
  const common = { caller, call };
  const price = priceOf(random);
  const isShort = random(1, 8) === 1;
  const endsAt = from + (isShort ? random(1, 9) * MINUTE_MS : random(1, 300) * HOUR_MS);
  const endPrice = random(1, 20) === 1 ? '0' : priceOf(random);
  const isGain = Number(endPrice) > Number(price);
  const unranked = random(1, 6) === 1 ? 'micro_cap' : undefined;
  const isUncounted = isShort && isGain && unranked === undefined;
  const events: PlannedEvent[] = [
    {
      ...common,
      kind: 'opened',
      at: from,
      mint: `mint-${call}`,
      price,
      ...(random(1, 3) === 1 ? { text: `Because ${call}` } : {}),
      ...(unranked === undefined ? {} : { unranked }),
    },
  ];
  if (random(1, 3) === 1) {
    events.push({ ...common, kind: 'updated', at: from + 20_000, text: `Hold ${call}` });
  }
  if (random(1, 9) === 1) {
    events.push({ ...common, kind: 'moderated', at: from + 40_000, action: 'hide_text' });
  }
  const ending = { ...common, kind: 'ended' as const, at: endsAt, price: endPrice };
  if (random(1, 10) > 1) events.push(isUncounted ? { ...ending, uncounted: 'short_hold' } : ending);
  return events;
}

/** Plans the history of a few callers. */
export function planLog(seed: number, calls = 12, startsAt = START): Plan {
  const random = createRandom(seed);
  const callers = Array.from({ length: random(1, 4) }, (_, place) => `caller-${seed}-${place}`);
  const names = callers.map((caller, place) => ({
    caller,
    kind: 'name' as const,
    handle: `caller_${place}`,
    at: startsAt + 1_000,
  }));
  const others = Array.from({ length: calls }, (_, at) => {
    const caller = callers[random(0, callers.length - 1)] as string;
    const from = startsAt + MINUTE_MS + random(0, 600 * HOUR_MS);
    return planCall({ caller, call: `call-${at}`, from, random });
  }).flat();
  const moderated = random(1, 5) === 1;
  if (moderated) {
    others.push({
      caller: callers[0] as string,
      kind: 'moderated',
      at: startsAt + HOUR_MS,
      action: 'verify',
    });
  }
  const later = [...names, ...others].sort((one, other) => one.at - other.at);
  const byMinute = new Map<number, PlannedEvent[]>();
  for (const event of later) {
    const at = Math.ceil((event.at + 1) / MINUTE_MS) * MINUTE_MS;
    byMinute.set(at, [...(byMinute.get(at) ?? []), event]);
  }
  const minutes = [...byMinute].map(([at, events]) => ({ at, events }));
  return { seed, minutes, now: (minutes.at(-1)?.at ?? startsAt) + HOUR_MS };
}

import { HOLDINGS_MIN_USD, MOVEMENT_KINDS } from '#schema/constants/market.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { formatUsd, pluralize } from '../text/format.ts';
import { phaseOf, type CallTimes, type FoundHoldings, type HoldingsMovement } from './call-holdings.ts';

interface HoldingsCall extends CallTimes {
  readonly entryPrice: string;
}

const KINDS: Record<HoldingsMovement['kind'], { noun: string; say: (amount: string) => string }> = {
  bought: { noun: 'purchase', say: (amount) => `Bought ${amount}` },
  received: { noun: 'transfer', say: (amount) => `Received ${amount} by transfer` },
  sold: { noun: 'sale', say: (amount) => `Sold ${amount}` },
  sent: { noun: 'transfer', say: (amount) => `Transferred ${amount} out` },
};

/** Says what a caller did with the call's token: "Bought $1,200 three minutes before the call. Sold 60% during it." */
export function describeHoldings({ heldBefore, movements }: FoundHoldings, call: HoldingsCall): string[] {
  const sentences: string[] = [];
  const worth = Number(heldBefore ?? 0) * Number(call.entryPrice);
  if (worth >= HOLDINGS_MIN_USD) {
    sentences.push(`Held some already, worth ${formatUsd(worth)} at the entry price.`);
  }
  let held = heldBefore === null ? null : Number(heldBefore);
  for (const phase of ['before', 'during', 'after'] as const) {
    const inPhase = movements.filter(({ at }) => phaseOf(Date.parse(at), call) === phase);
    if (held !== null) held += totalOf(inPhase.filter((each) => !isOut(each)));
    for (const kind of MOVEMENT_KINDS) {
      const same = inPhase.filter((each) => each.kind === kind);
      const context = { call, phase, held, isFirst: sentences.length === 0 };
      if (same[0] !== undefined) sentences.push(describeGroup([same[0], ...same.slice(1)], context));
    }
    if (held !== null) held -= totalOf(inPhase.filter(isOut));
  }
  return sentences;
}

interface GroupContext {
  readonly call: CallTimes;
  readonly phase: ReturnType<typeof phaseOf>;
  /** Everything held before this phase or got in it, in tokens. Null if the chain doesn't show it. */
  readonly held: number | null;
  readonly isFirst: boolean;
}

function describeGroup(
  movements: readonly [HoldingsMovement, ...HoldingsMovement[]],
  { call, phase, held, isFirst }: GroupContext,
): string {
  const [first] = movements;
  const { noun, say } = KINDS[first.kind];
  const value = formatValue(movements);
  const isOne = movements.length === 1;
  const when = formatWhen(Date.parse(first.at), call);
  if (phase === 'before') {
    return isOne
      ? `${say(value)} ${when}.`
      : `${say(value)} in ${pluralize(movements.length, noun)}, the first ${when}.`;
  }
  const share = isOut(first) ? formatShare(totalOf(movements), held) : null;
  const during = isFirst ? 'during the call' : 'during it';
  const details = [
    ...(share === null ? [] : [value]),
    ...(isOne ? [when] : [`in ${pluralize(movements.length, noun)}`, `the first ${when}`]),
  ];
  return `${say(share ?? value)} ${phase === 'during' ? during : 'after its end'} (${details.join(', ')}).`;
}

const isOut = ({ kind }: HoldingsMovement) => kind === 'sold' || kind === 'sent';

function totalOf(movements: readonly HoldingsMovement[]): number {
  return movements.reduce((total, { amount }) => total + Number(amount), 0);
}

function formatValue(movements: readonly HoldingsMovement[]): string {
  const known = movements.flatMap(({ usd }) => usd ?? []);
  const usd = formatUsd(known.reduce((total, each) => total + each, 0));
  if (known.length === movements.length) return usd;
  return known.length === 0 ? 'tokens of unknown value' : `${usd} and tokens of unknown value`;
}

/** Rounds down, so that only the whole amount is 100%. Null if it's unknown, or above 100% because small purchases aren't listed. */
function formatShare(amount: number, held: number | null): string | null {
  if (held === null || amount > held * (1 + Number.EPSILON * 8)) return null;
  const percent = Math.floor((amount / held) * 100);
  return percent < 1 ? 'under 1%' : `${Math.min(percent, 100)}%`;
}

const WORDS = ['a', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

function formatWhen(at: number, { calledAt, endedAt }: CallTimes): string {
  const phase = phaseOf(at, { calledAt, endedAt });
  if (phase === 'before') return `${formatDistance(calledAt - at)} before the call`;
  if (phase === 'during') return `${formatDistance(at - calledAt)} after the call`;
  return `${formatDistance(at - (endedAt ?? at))} after the end`;
}

function formatDistance(milliseconds: number): string {
  if (milliseconds < MINUTE_MS) return 'less than a minute';
  const units = [
    ['day', DAY_MS],
    ['hour', HOUR_MS],
    ['minute', MINUTE_MS],
  ] as const;
  const [unit, length] = units.find(([, ms]) => milliseconds >= ms) ?? ['minute', MINUTE_MS];
  const count = Math.floor(milliseconds / length);
  const word = count === 1 && unit === 'hour' ? 'an' : WORDS[count - 1];
  return word === undefined ? pluralize(count, unit) : `${word} ${unit}${count === 1 ? '' : 's'}`;
}

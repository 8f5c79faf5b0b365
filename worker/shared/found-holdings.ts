import type { CallHoldings } from '#schema/contracts/calls.ts';
import type { FoundHoldings } from '#schema/rules/calls/call-holdings.ts';
import { formatUnits } from '#schema/rules/money/units.ts';

const LAMPORTS = 1_000_000_000n;
/** The decimals of a price in lamports. A token may cost far less than a lamport. */
const PRICE_DECIMALS = 18;

type Stored = {
  readonly [Name in keyof FoundHoldings]: FoundHoldings[Name] extends bigint ? string : FoundHoldings[Name];
};

/** Encodes holdings as JSON for the database, because amounts may exceed the integers of JavaScript and SQLite. */
export function writeFoundHoldings(found: FoundHoldings): string {
  return JSON.stringify(found, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

export function readFoundHoldings(json: string): FoundHoldings {
  const stored = JSON.parse(json) as Stored;
  return {
    decimals: stored.decimals,
    heldBefore: BigInt(stored.heldBefore),
    bought: BigInt(stored.bought),
    spentLamports: stored.spentLamports === null ? null : BigInt(stored.spentLamports),
    firstBoughtAt: stored.firstBoughtAt,
    acquired: BigInt(stored.acquired),
    sold: BigInt(stored.sold),
    firstSoldAt: stored.firstSoldAt,
    movedAway: BigInt(stored.movedAway),
  };
}

export function describeFoundHoldings(json: string): NonNullable<CallHoldings['found']> {
  const { decimals, ...found } = readFoundHoldings(json);
  const had = found.heldBefore + found.acquired;
  const { bought, spentLamports } = found;
  return {
    heldBefore: formatUnits(found.heldBefore, decimals),
    firstBoughtAt: isoOf(found.firstBoughtAt),
    averagePriceSol:
      bought === 0n || spentLamports === null
        ? null
        : formatUnits(
            (spentLamports * 10n ** BigInt(decimals + PRICE_DECIMALS)) / (bought * LAMPORTS),
            PRICE_DECIMALS,
          ),
    acquired: formatUnits(found.acquired, decimals),
    soldPercent: percentOf(found.sold, had),
    firstSoldAt: isoOf(found.firstSoldAt),
    movedPercent: percentOf(found.movedAway, had),
  };
}

const isoOf = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Rounds down to hundredths, so that only the whole amount gives 100. */
const percentOf = (part: bigint, whole: bigint) =>
  whole === 0n ? 0 : Number((part * 10_000n) / whole) / 100;

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '#dev/settings.ts';

/** The lowest, the median and the highest of several measurements. */
export interface Summary {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export interface Result {
  readonly what: string;
  readonly value: Summary;
  readonly unit: string;
  /** Example: '≤ 60'. Results without a goal are only reported. */
  readonly goal?: string;
  readonly isMet?: boolean;
}

/** @throws RangeError without values */
export function summarize(values: readonly number[]): Summary {
  const sorted = values.toSorted((one, other) => one - other);
  const [min] = sorted;
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  const max = sorted.at(-1);
  if (min === undefined || median === undefined || max === undefined) throw new RangeError('No values');
  return { min, median, max };
}

/** The smallest value that at least this share of the values doesn't exceed. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? 0;
}

const round = (value: number) => (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));

/** Prints a part's results and writes them to `.cache/bench/results-<part>.json`. @returns the missed goals */
export function reportResults(part: string, results: readonly Result[]): string[] {
  console.table(
    results.map(({ what, value: { min, median, max }, unit, goal = '', isMet }) => ({
      what,
      min: round(min),
      median: round(median),
      max: round(max),
      unit,
      goal,
      met: isMet ?? '',
    })),
  );
  const folder = join(root, '.cache/bench');
  mkdirSync(folder, { recursive: true });
  const report = { at: new Date().toISOString(), node: process.version, results };
  writeFileSync(join(folder, `results-${part}.json`), `${JSON.stringify(report, null, 2)}\n`);
  const missed = results.filter(({ isMet }) => isMet === false);
  return missed.map(({ what, goal }) => `${what} (goal: ${goal})`);
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { root } from '#dev/settings.ts';
import { table } from './markdown.ts';

/** The lowest, the median and the highest of several measurements. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export interface Result {
  /** Stays the same between versions, because docs/SCALE.md is computed from results. */
  readonly id: string;
  readonly what: string;
  readonly value: Spread;
  readonly unit: string;
  /** The value is compared with this one, which is measured in the same run. */
  readonly floor: string;
  /** Null if there is no goal. */
  readonly goal: string | null;
  readonly isMet: boolean | null;
  /** Medians, for the costs in docs/SCALE.md. */
  readonly work?: Work;
}

export interface Work {
  readonly queries: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  readonly kvReads: number;
}

export interface PartResults {
  /** ISO 8601. */
  readonly at: string;
  readonly seconds: number;
  /** The number of callers in the largest world. */
  readonly callers: number;
  readonly results: readonly Result[];
}

export interface Results {
  readonly machine: string;
  readonly parts: Readonly<Record<string, PartResults>>;
}

const RESULTS_FILE = join(root, 'bench/results.json');

export function readResults(): Results {
  const none: Results = { machine: '', parts: {} };
  return existsSync(RESULTS_FILE) ? (JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as Results) : none;
}

export interface SavedParts {
  readonly parts: Results['parts'];
  /** Parts that keep their results, unless they are in `parts`. */
  readonly kept: Results['parts'];
}

export function saveResults({ parts, kept }: SavedParts): Results {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}, Node ${process.version}`;
  const results = { machine, parts: { ...kept, ...parts } };
  writeFileSync(RESULTS_FILE, `${JSON.stringify(results, null, 2)}\n`);
  return results;
}

/** @throws RangeError without values */
export function spreadOf(values: readonly number[]): Spread {
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

const CHECKS = new Map<boolean | null, string>([
  [true, 'yes'],
  [false, '**no**'],
  [null, ''],
]);

/** The tables of bench/RESULTS.md, one for each part. */
export function describeResults({ machine, parts }: Results): string {
  const sections = Object.entries(parts).map(([name, { at, seconds, callers, results }]) =>
    [
      `### ${name}`,
      `${at.slice(0, 16).replace('T', ' ')} UTC, ${seconds} s, up to ${callers.toLocaleString('en-US')} callers`,
      table(
        ['what', 'min', 'median', 'max', 'unit', 'floor', 'goal', 'met'],
        results.map(({ what, value, unit, floor, goal, isMet }) => [
          what,
          ...[value.min, value.median, value.max].map(formatNumber),
          unit,
          floor,
          goal ?? '',
          CHECKS.get(isMet) ?? '',
        ]),
      ),
    ].join('\n\n'),
  );
  return [machine, ...sections].join('\n\n');
}

/** Three digits, or all digits of a large number. */
export function formatNumber(value: number): string {
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

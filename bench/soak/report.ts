import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { MINUTE_MS } from '#schema/constants.ts';
import { table } from '../markdown.ts';
import type { Figures } from './client.ts';
import type { Sample, Trend } from './memory.ts';

export interface MemorySeries {
  readonly name: string;
  readonly samples: readonly Sample[];
  readonly trend: Trend;
}

export interface SoakResult {
  readonly minutes: number;
  readonly rate: number;
  readonly faults: number;
  readonly seed: number;
  readonly figures: ReadonlyMap<string, Figures>;
  readonly explainedCodes: ReadonlyMap<string, number>;
  readonly mostInFlight: number;
  /** The part of its work in which workerd waited for a CPU that other programs used. */
  readonly waitingShare: number;
  /** Number of requests to each service that a fault has hit. */
  readonly struck: Readonly<Record<string, number>>;
  readonly payments: { readonly signed: number; readonly landed: number; readonly recorded: number };
  readonly checks: number;
  readonly messages: number;
  readonly memory: readonly MemorySeries[];
  readonly violations: readonly string[];
}

const percentile = (sorted: readonly number[], part: number) =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0);

/** One row per kind of request, with the most frequent kind first. */
export function listRows(figures: SoakResult['figures']) {
  const everything: Figures = { requests: 0, refused: 0, explained: 0, ms: [] };
  for (const { requests, refused, explained, ms } of figures.values()) {
    everything.requests += requests;
    everything.refused += refused;
    everything.explained += explained;
    for (const each of ms) everything.ms.push(each);
  }
  const rows = [...figures].toSorted(([, one], [, other]) => other.requests - one.requests);
  return [...rows, ['all', everything] as const].map(([kind, { requests, refused, explained, ms }]) => {
    const sorted = ms.toSorted((a, b) => a - b);
    return {
      kind,
      requests,
      'documented 4xx': refused,
      'explained 5xx': explained,
      'p50 ms': percentile(sorted, 0.5),
      'p99 ms': percentile(sorted, 0.99),
    };
  });
}

export function describeMemory({ name, samples, trend }: MemorySeries): string {
  const sizes = samples.map(({ mib }) => mib);
  const [first, last] = [samples[0]?.mib ?? 0, samples.at(-1)?.mib ?? 0];
  const mib = (value: number) => value.toFixed(1);
  return (
    `Memory (${name}): ${mib(first)} MiB at the start, ${mib(last)} at the end, ${mib(Math.max(...sizes))} at most. ` +
    `Slope of the last two thirds: ${mib(trend.perHour)} MiB an hour (95%: ${mib(trend.low)} to ${mib(trend.high)}), ` +
    `which is ${mib(trend.growth)} MiB in that time; noise: ±${mib(trend.noise)} MiB. ` +
    (trend.isWithinNoise ? 'Within noise.' : 'More than noise.')
  );
}

/** A table with about ten samples. */
function listMemory({ name, samples }: MemorySeries): string[] {
  const shown = samples.filter((_, index) => index % Math.ceil(samples.length / 10) === 0);
  const startedAt = samples[0]?.at ?? 0;
  const minutes = shown.map(({ at }) => ((at - startedAt) / MINUTE_MS).toFixed(0));
  return [table([`minute: ${name}`, ...minutes], [['MiB', ...shown.map(({ mib }) => mib.toFixed(1))]]), ''];
}

/** Writes bench/SOAK.md. */
export function writeReport(result: SoakResult): void {
  const { minutes, rate, faults, seed, struck, payments, checks, messages, violations } = result;
  const rows = listRows(result.figures);
  const lines = [
    '# Last soak',
    '',
    `\`npm run soak -- --minutes ${minutes} --rate ${rate} --faults ${faults} --seed ${seed}\``,
    '',
    `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, ${cpus().length} × ${cpus()[0]?.model.trim()}, ` +
      `Node ${process.version}, other programs ran meanwhile.`,
    '',
    `- Violations: ${violations.length}`,
    ...violations.slice(0, 20).map((violation) => `  - ${violation}`),
    `- Requests hit by a fault: ${Object.entries(struck)
      .map(([service, count]) => `${service} ${count}`)
      .join(', ')}`,
    `- 5xx that a fault explains: ${[...result.explainedCodes].map(([code, count]) => `${code} ${count}`).join(', ')}`,
    `- Payments: ${payments.signed} signed, ${payments.landed} on the chain, ${payments.recorded} of them in the ledger; ` +
      'the others were one lamport short, or sent by the wallet itself and not searched yet',
    `- Checks of all invariants: ${checks}; Telegram messages checked for hidden calls: ${messages}`,
    `- At most ${result.mostInFlight} requests at once. Of the time that workerd had work to do, it waited ` +
      `${(100 * result.waitingShare).toFixed(0)}% for a CPU that other programs used`,
    ...result.memory.map((series) => `- ${describeMemory(series)}`),
    '',
    ...result.memory.flatMap(listMemory),
    '',
    table(
      Object.keys(rows[0] ?? {}),
      rows.map((row) => Object.values(row).map(String)),
    ),
    '',
  ];
  writeFileSync(new URL('../SOAK.md', import.meta.url), lines.join('\n'));
}

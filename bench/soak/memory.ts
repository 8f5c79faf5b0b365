import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { HOUR_MS, SECOND_MS } from '#schema/constants.ts';

const NS_PER_MS = 1_000_000;
const KIB_PER_MIB = 1_024;
const BYTES_PER_MIB = KIB_PER_MIB ** 2;
/** Growth by less than this part of the memory counts as noise. */
const NOISE_PART = 0.02;

export interface Sample {
  /** Unix ms. */
  readonly at: number;
  readonly mib: number;
}

export interface Trend {
  /** Theil–Sen slope with its 95% confidence interval (Kendall), in MiB per hour. */
  readonly perHour: number;
  readonly low: number;
  readonly high: number;
  /** By how much the memory grew in the window at this slope, in MiB. */
  readonly growth: number;
  /**
   * In MiB: how far the samples are from the line (twice their standard deviation, estimated from the median), but
   * at least 2% of the memory.
   */
  readonly noise: number;
  /** True if the memory doesn't grow, or grows by less than the noise. */
  readonly isWithinNoise: boolean;
}

/** The name of the product's isolate in the local runtime's inspector. */
const PRODUCT_ISOLATE = 'core:user:solcallers';
const INSPECTOR_WAIT_MS = 10 * SECOND_MS;

interface Isolate {
  readonly id: string;
  readonly webSocketDebuggerUrl: string;
}

export interface Runtime {
  /** How long its threads have run and waited for a CPU, in ms since their start. */
  readCpu(): { ran: number; waited: number };
  /** Resident memory in MiB. */
  readResident(): number;
  /** Collects the garbage of all isolates. Returns what is left in the product's isolate, in MiB. */
  readHeap(): Promise<number | null>;
}

/** Finds the workerd that runs the product. wrangler's proxy is a workerd, too, without a line of the product. */
export async function findRuntime(): Promise<Runtime> {
  const below = listBelow(process.pid);
  const listening = execFileSync('ss', ['-ltnpH'], { encoding: 'utf8' }).matchAll(
    /:(\d+)\s.*\("workerd",pid=(\d+)/g,
  );
  for (const [, port, pid] of listening) {
    if (!below.includes(Number(pid))) continue;
    const isolates = await listIsolates(Number(port));
    if (!isolates.some(({ id }) => id === PRODUCT_ISOLATE)) continue;
    return {
      readCpu() {
        const threads = globSync(`/proc/${pid}/task/*/schedstat`).map((file) =>
          readFileSync(file, 'utf8').split(' ').map(Number),
        );
        const sum = (field: number) =>
          threads.reduce((all, fields) => all + (fields[field] ?? 0), 0) / NS_PER_MS;
        return { ran: sum(0), waited: sum(1) };
      },
      readResident() {
        const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
        return Number(kib) / KIB_PER_MIB;
      },
      async readHeap() {
        const sizes = await Promise.all(
          isolates.map(async (each) => [each.id, await collect(each)] as const),
        );
        return new Map(sizes).get(PRODUCT_ISOLATE) ?? null;
      },
    };
  }
  throw new Error('No workerd has the product in its inspector');
}

/** The processes below a process. */
function listBelow(parent: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (from: number): number[] =>
    rows.flatMap(([pid = 0, above]) => (above === from ? [pid, ...below(pid)] : []));
  return below(parent);
}

async function listIsolates(port: number): Promise<Isolate[]> {
  try {
    const signal = AbortSignal.timeout(INSPECTOR_WAIT_MS);
    return (await (await fetch(`http://127.0.0.1:${port}/json`, { signal })).json()) as Isolate[];
  } catch {
    // Not an inspector.
    return [];
  }
}

/** Collects an isolate's garbage. Returns its used heap in MiB; null if it doesn't answer, like an idle isolate. */
async function collect({ webSocketDebuggerUrl }: Isolate): Promise<number | null> {
  const socket = new WebSocket(webSocketDebuggerUrl.replace('localhost', '127.0.0.1'));
  const answer = Promise.withResolvers<number | null>();
  socket.addEventListener('error', () => answer.resolve(null));
  // One after the other, because the inspector would tell the heap's size before the collection has ended.
  const methods = ['HeapProfiler.enable', 'HeapProfiler.collectGarbage', 'Runtime.getHeapUsage'];
  const sendNext = () => socket.send(JSON.stringify({ id: methods.length, method: methods.shift() }));
  socket.addEventListener('open', sendNext);
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: { usedSize?: number } };
    if (result?.usedSize !== undefined) answer.resolve(result.usedSize / BYTES_PER_MIB);
    else if (id !== undefined && methods.length > 0) sendNext();
  });
  const size = await Promise.race([answer.promise, pause(INSPECTOR_WAIT_MS, null)]);
  socket.close();
  return size;
}

/** The trend of the last two thirds, because the memory grows while caches fill. */
export function findTrend(samples: readonly Sample[]): Trend {
  const window = samples.slice(Math.floor(samples.length / 3));
  const slopes = window
    .flatMap((one, index) =>
      window.slice(index + 1).map((other) => ((other.mib - one.mib) / (other.at - one.at)) * HOUR_MS),
    )
    .toSorted((a, b) => a - b);
  const n = window.length;
  const spread = 1.96 * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const slopeAt = (rank: number) => slopes[Math.max(0, Math.min(slopes.length - 1, Math.round(rank)))] ?? 0;
  const perHour = median(slopes);
  const [first, last] = [window[0]?.at ?? 0, window.at(-1)?.at ?? 0];
  const residuals = window.map(({ at, mib }) => mib - (perHour * (at - first)) / HOUR_MS);
  const middle = median(residuals);
  const scatter = 2 * 1.4826 * median(residuals.map((each) => Math.abs(each - middle)));
  const noise = Math.max(scatter, NOISE_PART * middle);
  const growth = (perHour * (last - first)) / HOUR_MS;
  const [low, high] = [slopeAt((slopes.length - spread) / 2), slopeAt((slopes.length + spread) / 2)];
  return { perHour, low, high, growth, noise, isWithinNoise: low <= 0 || growth <= noise };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2;
}

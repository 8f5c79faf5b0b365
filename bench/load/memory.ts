import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '#schema/constants/time.ts';
import { summarize } from '../results.ts';

const KIB_PER_MIB = 1_024;
const BYTES_PER_MIB = KIB_PER_MIB ** 2;
/** The name of the product's isolate in the local runtime's inspector. */
const PRODUCT_ISOLATE = 'core:user:solcallers';
const INSPECTOR_WAIT_MS = 10 * SECOND_MS;

interface Isolate {
  readonly id: string;
  readonly webSocketDebuggerUrl: string;
}

export interface Runtime {
  readonly pid: number;
  /** Resident memory in MiB. */
  readResident(): number;
  /** Collects the garbage of all isolates. Returns the heap that remains in the product's isolate, in MiB. */
  readHeap(): Promise<number | null>;
}

/** Finds the workerd process that runs the product. wrangler's proxy is another workerd process. */
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
      pid: Number(pid),
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

/** Lists the descendants of a process. */
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
    // The port isn't an inspector's.
    return [];
  }
}

/** Collects an isolate's garbage. Returns its used heap in MiB; null if it doesn't respond, like an idle isolate. */
async function collect({ webSocketDebuggerUrl }: Isolate): Promise<number | null> {
  const socket = new WebSocket(webSocketDebuggerUrl.replace('localhost', '127.0.0.1'));
  const response = Promise.withResolvers<number | null>();
  socket.addEventListener('error', () => response.resolve(null));
  // Sequential, because the inspector would otherwise report the heap's size before the collection has ended.
  const methods = ['HeapProfiler.enable', 'HeapProfiler.collectGarbage', 'Runtime.getHeapUsage'];
  const sendNext = () => socket.send(JSON.stringify({ id: methods.length, method: methods.shift() }));
  socket.addEventListener('open', sendNext);
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: { usedSize?: number } };
    if (result?.usedSize !== undefined) response.resolve(result.usedSize / BYTES_PER_MIB);
    else if (id !== undefined && methods.length > 0) sendNext();
  });
  const size = await Promise.race([response.promise, pause(INSPECTOR_WAIT_MS, null)]);
  socket.close();
  return size;
}

/**
 * The growth from the median of the second third of the samples to the median of the last third, as a share. Leaves out
 * the first third, in which caches fill.
 */
export function memoryGrowth(samples: readonly number[]): number {
  const third = Math.floor(samples.length / 3);
  if (third === 0) return 0;
  const medianOf = (part: number) => summarize(samples.slice(part * third, (part + 1) * third)).median;
  return medianOf(2) / medianOf(1) - 1;
}

import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { execFileSync } from 'node:child_process';

const CONNECTIONS = 16;

export interface Load {
  readonly url: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The expected status, besides 304. Default: 200. */
  readonly status?: number;
}

export interface Measured {
  readonly perSecond: number;
  /** CPU time of the runtime per request. Null where /proc doesn't exist. */
  readonly cpuMs: number | null;
}

/**
 * Sends requests over a few connections for this time, each request from another network address. Speaks HTTP over
 * plain sockets, because `fetch` and node:http would use more CPU than the runtime.
 * @throws Error for an answer with another status
 */
export async function sendLoad(
  load: Load,
  milliseconds: number,
  runtimePids: readonly number[],
): Promise<Measured> {
  const { hostname, port } = new URL(load.url);
  const sockets = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      await once(socket, 'connect');
      return socket;
    }),
  );
  let requests = 0;
  const cpuBefore = cpuMsOf(runtimePids);
  const startedAt = performance.now();
  await Promise.all(
    sockets.map(async (socket) => {
      while (performance.now() - startedAt < milliseconds) {
        requests += 1;
        await ask(socket, headOf(load, requests), load.status ?? 200);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuAfter = cpuMsOf(runtimePids);
  for (const socket of sockets) socket.destroy();
  const cpuMs = cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / requests;
  return { perSecond: requests / seconds, cpuMs };
}

function headOf({ url, path, headers = {} }: Load, number: number): string {
  const address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
  const all = { Host: new URL(url).host, 'CF-Connecting-IP': address, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** Sends one request and waits for the whole response. */
function ask(socket: Socket, head: string, expected: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const finish = (end: () => void) => {
      socket.removeAllListeners();
      end();
    };
    socket.on('data', (part) => {
      parts.push(part);
      const status = statusOfWhole(parts);
      if (status === null) return;
      const isFine = status === expected || status === 304;
      finish(() => (isFine ? resolve() : reject(new Error(`${head.split('\r\n', 1)[0]}: ${status}`))));
    });
    socket.on('error', (error) => finish(() => reject(error)));
    socket.on('close', () => finish(() => reject(new Error('The runtime closed the connection'))));
    socket.write(head);
  });
}

const END_OF_HEAD = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** The status of a response once all of it has arrived, else null. */
function statusOfWhole(parts: readonly Buffer[]): number | null {
  const arrived = Buffer.concat(parts);
  const headEnd = arrived.indexOf(END_OF_HEAD);
  if (headEnd === -1) return null;
  const head = arrived.toString('latin1', 0, headEnd).toLowerCase();
  const status = Number(head.slice(9, 12));
  if (status === 304) return status;
  const [, length] = /\r\ncontent-length: (\d+)/.exec(head) ?? [];
  const isWhole =
    length === undefined
      ? arrived.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
      : arrived.length - headEnd - END_OF_HEAD.length >= Number(length);
  return isWhole ? status : null;
}

const TICK_MS = 10;

/** The user and system time of these processes. */
function cpuMsOf(pids: readonly number[]): number | null {
  try {
    const ticks = pids.map((pid) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return Number(fields[11]) + Number(fields[12]);
    });
    return ticks.reduce((sum, each) => sum + each, 0) * TICK_MS;
  } catch {
    return null;
  }
}

/** The workerd processes that this process has started. */
export function listRuntimes(): number[] {
  return execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .flatMap((match) =>
      Number(match?.[2]) === process.pid && match?.[3]?.includes('workerd') === true
        ? [Number(match[1])]
        : [],
    );
}

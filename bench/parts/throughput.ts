import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { API_KEY_PREFIX } from '#schema/constants/people.ts';
import type { Part } from '../context.ts';
import { startMeasuredProduct } from '../product/measured-product.ts';
import { summarize, type Result } from '../results.ts';

const CONNECTIONS = 16;
const ROUND_MS = 2_000;
const TINY_ROUND_MS = 200;
const TICK_MS = 10;

interface Load {
  readonly what: string;
  readonly path: string;
  /** The headers of the request with this number. */
  readonly headers?: (number: number) => Readonly<Record<string, string>>;
  readonly status?: number;
  /** Requests per second, as a multiple of the static file's. */
  readonly atLeast?: number;
  /** CPU time per request, as a multiple of the static file's. */
  readonly atMost?: number;
}

interface Measured {
  readonly perSecond: number;
  readonly cpuMs: number;
}

/**
 * Measures workerd's requests per second with all middleware, and its CPU time per request. The baseline is a static
 * file of the same runtime.
 */
export const measureThroughput: Part = async ({ openEnvironment, options: { rounds, isTiny } }) => {
  const { dataDir } = await openEnvironment();
  const product = await startMeasuredProduct({ dataDir, isCounting: false });
  try {
    const list = await fetch(`${product.url}/api/callers`);
    const [caller] = (await list.json()) as { id: string }[];
    const tag = list.headers.get('ETag') ?? '';
    const loads: readonly Load[] = [
      { what: 'a static file', path: '/favicon.svg' },
      {
        what: 'a list that the browser already has (304)',
        path: '/api/callers',
        ...notModified(tag),
        atLeast: 2,
      },
      { what: 'the directory, not cached', path: '/api/callers', atLeast: 0.6, atMost: 4.5 },
      { what: 'a profile, not cached', path: `/api/callers/${caller?.id}`, atLeast: 0.6, atMost: 4 },
      { what: 'all middleware, no query (404)', path: '/api/nothing-here', status: 404 },
      { what: 'no session (401)', path: OWN, status: 401, atMost: 1.8 },
      { what: 'a made-up session (401)', path: OWN, status: 401, headers: madeUpSession, atMost: 2.5 },
      { what: 'a made-up API key (401)', path: OWN, status: 401, headers: madeUpKey, atMost: 2.5 },
      { what: 'the directory’s page, rendered', path: '/', atMost: 10 },
    ];
    const ms = isTiny ? TINY_ROUND_MS : ROUND_MS;
    const measured = new Map<Load, Measured[]>();
    for (const load of loads) {
      await send(product.url, load, ms);
      measured.set(load, []);
    }
    // The loads alternate, so that other work on this machine slows all of them.
    for (let round = 0; round < rounds; round += 1) {
      for (const [load, found] of measured) found.push(await send(product.url, load, ms));
    }
    const [files = []] = measured.values();
    return [...measured].flatMap(([load, found]) => describe(load, found, files));
  } finally {
    await product.close();
  }
};

const notModified = (tag: string) => ({ headers: () => ({ 'If-None-Match': tag }), status: 304 });

const OWN = '/api/auth/user';
const madeUpToken = (number: number) => String(number).padStart(54, 'x');
const madeUpSession = (number: number) => ({ Cookie: `session=${madeUpToken(number)}` });
const madeUpKey = (number: number) => ({ Authorization: `Bearer ${API_KEY_PREFIX}${madeUpToken(number)}` });

/** @param files the static file's measurements, one for each of `measured` */
function describe(
  { what, atLeast, atMost }: Load,
  measured: readonly Measured[],
  files: readonly Measured[],
): Result[] {
  const floor = summarize(files.map(({ perSecond }) => perSecond)).median;
  const value = summarize(measured.map(({ perSecond }) => perSecond));
  const goal = atLeast === undefined ? {} : { goal: `≥ ${atLeast} × static file` };
  const times = summarize(measured.map(({ cpuMs }, round) => cpuMs / (files[round]?.cpuMs ?? NaN)));
  const cpuGoal = atMost === undefined ? {} : { goal: `≤ ${atMost}`, isMet: times.median <= atMost };
  return [
    { what, value, unit: 'per second', ...goal, ...(atLeast && { isMet: value.median >= atLeast * floor }) },
    { what, value: summarize(measured.map(({ cpuMs }) => cpuMs)), unit: 'CPU ms' },
    { what, value: times, unit: 'CPU, × static file', ...cpuGoal },
  ];
}

/** Sends requests over a few connections for this time, each from another IPv6 network of 48 bits. */
async function send(url: string, load: Load, milliseconds: number): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const runtimes = listRuntimes();
  const [startedAt, cpuBefore] = [performance.now(), cpuMsOf(runtimes)];
  let requests = 0;
  const connection = async () => {
    while (performance.now() - startedAt < milliseconds) {
      requests += 1;
      const headers = {
        'CF-Connecting-IP': `2001:db8:${requests.toString(16)}::1`,
        ...load.headers?.(requests),
      };
      const [response] = (await once(get(`${url}${load.path}`, { agent, headers }), 'response')) as [
        IncomingMessage,
      ];
      response.resume();
      await once(response, 'end');
      const { statusCode } = response;
      if (statusCode !== (load.status ?? 200)) throw new Error(`${load.path}: ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  return { perSecond: requests / seconds, cpuMs: (cpuMsOf(runtimes) - cpuBefore) / requests };
}

/** The user and system time of these processes; NaN where /proc doesn't exist. */
function cpuMsOf(pids: readonly number[]): number {
  try {
    const ticks = pids.map((pid) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return Number(fields[11]) + Number(fields[12]);
    });
    return ticks.reduce((sum, each) => sum + each, 0) * TICK_MS;
  } catch {
    return NaN;
  }
}

/** The workerd processes that this process has started. */
function listRuntimes(): number[] {
  const processes = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return [...processes.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*workerd.*)$/gm)]
    .filter(([, , parent]) => Number(parent) === process.pid)
    .map(([, pid]) => Number(pid));
}

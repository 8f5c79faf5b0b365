// Runs every job of the cron on the built product with many callers, and reports the resources of each run: subrequests,
// D1 statements, rows and D1 time. Meanwhile other requests are measured and compared with an idle product. The
// world has a million callers, five million calls and 100,000 tokens: `node bench/cron.ts`. A quick run:
// `node bench/cron.ts 100000`.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createBuilder, mergeConfig } from 'vite';
import { SECOND_MS } from '#schema/constants.ts';
import { findFreePort } from '#dev/free-port.ts';
import { productVars } from '#dev/product-vars.ts';
import { root } from '#dev/settings.ts';
import { waitUntilAnswering } from '#dev/wait-until-answering.ts';
import { startWorld } from '#dev/world.ts';
import { startWrangler } from '#dev/wrangler.ts';
import type { JobCost } from '#worker/test-support/job-cost.ts';
import { percentile } from './results.ts';
import { openBenchWorld } from './support/bench-world.ts';
import type { MeasuredJob } from './support/measured-job.ts';
import { reportResults } from './support/report-results.ts';
import { userIdOf } from './world.ts';

const [callers = 1_000_000] = process.argv.slice(2, 3).map(Number);
/** With 100,000 tokens, each run refreshes an eighth of them, and peaks rise in the second refresh of a token. */
const ROUNDS = 10;
const IDLE_MS = 4 * SECOND_MS;
/** Between two requests of the people who use the product meanwhile. */
const STEP_MS = 50;
const START_MS = 120 * SECOND_MS;
const BARS = { subrequests: 1_000, d1Ms: 10 * SECOND_MS, slowdown: 3 } as const;
const VITE_CONFIG = '../vite.config.ts';

/** Answers as Jupiter and DexScreener. Every token has a price, and it changes every few seconds. */
async function startSources(): Promise<Server> {
  const priceOf = (mint: string) => {
    const step = Math.floor(Date.now() / (5 * SECOND_MS));
    return 1 + ((mint.charCodeAt(9) * 31 + step * 7) % 97) / 100;
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    const last = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
    const mints = (url.searchParams.get('ids') ?? url.searchParams.get('query') ?? last).split(',');
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(answerSource(url.pathname, mints, priceOf)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function answerSource(path: string, mints: readonly string[], priceOf: (mint: string) => number): unknown {
  if (path.startsWith('/price/')) {
    return Object.fromEntries(mints.map((mint) => [mint, { usdPrice: priceOf(mint), blockId: null }]));
  }
  if (path.startsWith('/tokens/v2/')) {
    return mints.map((id) => ({ id, symbol: 'T', name: 'Token', usdPrice: priceOf(id), liquidity: 1e6 }));
  }
  return mints.map((address) => ({
    chainId: 'solana',
    baseToken: { address, symbol: 'T', name: 'Token' },
    priceUsd: String(priceOf(address)),
    liquidity: { usd: 1e6 },
  }));
}

/** Builds the product with the route that measures jobs. Returns the path of wrangler's configuration. */
async function build(folder: string, vars: Readonly<Record<string, string>>): Promise<string> {
  const { createViteConfig } = (await import(VITE_CONFIG)) as {
    createViteConfig: (worker: object) => Parameters<typeof mergeConfig>[0];
  };
  const outDir = join(folder, 'product');
  const main = join(root, 'worker/test-support/cron-bench.ts');
  const config = createViteConfig({ config: (worker: { main?: string }) => void (worker.main = main) });
  const builder = await createBuilder({
    ...mergeConfig(config, { build: { outDir, emptyOutDir: true }, logLevel: 'warn' }),
    configFile: false,
  });
  await builder.buildApp();
  const path = join(outDir, 'solcallers/wrangler.json');
  const built = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, JSON.stringify({ ...built, vars }));
  return path;
}

interface Latency {
  readonly path: string;
  readonly ms: number;
}

const paths = () => {
  const id = userIdOf(Math.floor(Math.random() * callers));
  return [
    '/api/callers?limit=20',
    `/api/callers?limit=20&search=${encodeURIComponent('ada quill')}`,
    '/api/callers?limit=20&maxFee=0.5&sort=winRate',
    '/api/token-calls/ended?limit=20',
    `/api/callers/${id}`,
    `/api/callers/${id}/statistics`,
    `/api/token-calls/caller/${id}`,
  ];
};

/** Requests pages one after the other until `isOver`. Returns how long each answer took. */
async function use(productUrl: string, isOver: () => boolean): Promise<Latency[]> {
  const latencies: Latency[] = [];
  for (let index = 0; !isOver(); index++) {
    const all = paths();
    const path = all[index % all.length] ?? '/api/callers';
    const startedAt = performance.now();
    const response = await fetch(new URL(path, productUrl), {
      headers: { 'CF-Connecting-IP': `198.51.${Math.floor(index / 250) % 250}.${index % 250}` },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 200)}`);
    latencies.push({ path, ms: performance.now() - startedAt });
    await pause(STEP_MS);
  }
  return latencies;
}

function latencyAt(share: number, latencies: readonly Latency[]): number {
  return (
    Math.round(
      percentile(
        latencies.map(({ ms }) => ms),
        share,
      ) * 10,
    ) / 10
  );
}

async function measure(productUrl: string): Promise<void> {
  const jobs = (await (await fetch(`${productUrl}/api/bench/jobs`)).json()) as string[];
  const warmUntil = Date.now() + IDLE_MS;
  await use(productUrl, () => Date.now() > warmUntil);
  const idle: Latency[] = [];
  const busy: Latency[] = [];
  const costs: MeasuredJob[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    // Between the rounds, because other programs on the machine may slow down a part of the benchmark.
    const idleUntil = Date.now() + IDLE_MS;
    idle.push(...(await use(productUrl, () => Date.now() > idleUntil)));
    for (const job of jobs) {
      let isDone = false;
      const run = fetch(`${productUrl}/api/bench/jobs/${job}`)
        .then((response) => response.json() as Promise<JobCost>)
        .finally(() => (isDone = true));
      const [cost, latencies] = await Promise.all([run, use(productUrl, () => isDone)]);
      busy.push(...latencies);
      costs.push({ round, ...cost, p99: latencyAt(0.99, latencies) });
    }
  }
  report(costs, { idle, busy });
}

interface Latencies {
  readonly idle: readonly Latency[];
  readonly busy: readonly Latency[];
}

function report(costs: readonly MeasuredJob[], { idle, busy }: Latencies): void {
  console.table(
    costs.map(({ round, job, subrequests, statements, rowsRead, rowsWritten, p99, d1Ms, ms }) => ({
      round,
      job,
      subrequests,
      statements,
      rowsRead,
      rowsWritten,
      p99,
      d1Ms: Math.round(d1Ms),
      ms: Math.round(ms),
    })),
  );
  for (const { job, round, largest, outcome } of costs) {
    console.log(`${round} ${job}\n  ${outcome.slice(0, 300)}\n  largest statement: ${largest.slice(0, 200)}`);
  }
  const slowdown = latencyAt(0.99, busy) / latencyAt(0.99, idle);
  const describe = (latencies: readonly Latency[]) =>
    `${latencies.length} requests, median ${latencyAt(0.5, latencies)} ms, p99 ${latencyAt(0.99, latencies)} ms`;
  console.log(`API idle: ${describe(idle)}`);
  console.log(`API while jobs run: ${describe(busy)}, ${slowdown.toFixed(1)} times the idle p99`);
  const failures = [
    ...costs.flatMap(({ job, round, subrequests, d1Ms }) => [
      ...(subrequests > BARS.subrequests ? [`${job} (${round}) made ${subrequests} subrequests`] : []),
      ...(d1Ms > BARS.d1Ms ? [`${job} (${round}) used D1 for ${Math.round(d1Ms)} ms`] : []),
    ]),
    ...(slowdown > BARS.slowdown ? [`API requests were ${slowdown.toFixed(1)} times slower`] : []),
  ];
  reportResults({ costs, slowdown, bars: BARS });
  console.log(failures.length === 0 ? 'All bars are kept.' : failures.join('\n'));
  process.exitCode = failures.length === 0 ? 0 : 1;
}

const { dataDir: folder } = await openBenchWorld(callers);
const port = await findFreePort();
const productUrl = `http://localhost:${port}`;
const sources = await startSources();
const sourcesUrl = `http://127.0.0.1:${(sources.address() as AddressInfo).port}`;
const ports = { solana: 0, standIns: 0 };
const world = await startWorld({
  dataDir: folder,
  ports,
  productUrl,
  now: () => Date.now(),
  liftsRateLimits: true,
});
const vars = { ...productVars({ productUrl, world }), JUPITER_URL: sourcesUrl, DEXSCREENER_URL: sourcesUrl };
const config = await build(folder, vars);
const options = [
  '--port',
  String(port),
  '--inspector-port',
  '0',
  '--persist-to',
  join(folder, 'state'),
  '--log-level',
  'error',
];
const wrangler = startWrangler(
  ['dev', '--config', config, ...options, '--show-interactive-dev-session=false'],
  { stdio: 'inherit' },
);
try {
  await waitUntilAnswering(`${productUrl}/api/callers?limit=1`, START_MS);
  await measure(productUrl);
} finally {
  wrangler.kill('SIGTERM');
  await new Promise((resolve) => wrangler.on('close', resolve));
  await world.close();
  sources.close();
}

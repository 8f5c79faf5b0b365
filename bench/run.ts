// `npm run bench -- <part>...` measures parts of the product and prints the results. It fails if a goal is missed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startLocalProduct } from '#dev/local/local-product.ts';
import type { Settings } from '#dev/settings.ts';
import { copySampleData } from '#dev/local/shared-sample-data.ts';
import type { BenchOptions, Context, LocalEnvironment, Part } from './context.ts';
import { measureCalculator } from './parts/calculator.ts';
import { measureChats } from './parts/chats.ts';
import { measureCron } from './parts/cron.ts';
import { measureFirstPaint } from './parts/first-paint.ts';
import { measureLoad } from './parts/load.ts';
import { measureSearch } from './parts/search.ts';
import { measureThroughput } from './parts/throughput.ts';
import { measureVerify } from './parts/verify.ts';
import { measureWeight } from './parts/weight.ts';
import { reportResults } from './results.ts';
import { openBenchEnvironment, type BenchEnvironment } from './environment/open-environment.ts';

const PARTS: Readonly<Record<string, Part>> = {
  throughput: measureThroughput,
  cron: measureCron,
  search: measureSearch,
  verify: measureVerify,
  calculator: measureCalculator,
  'first-paint': measureFirstPaint,
  weight: measureWeight,
  chats: measureChats,
  // Runs last, because it makes the third parties of the local environment fail.
  load: measureLoad,
};

const DEFAULTS = {
  callers: '10000',
  rounds: '5',
  minutes: '30',
  rate: '50',
  faults: '5',
  hammer: '0',
  addresses: '1',
  seed: '1',
};
/** The smallest sizes, to check only that each part still runs. Goals don't count. */
const TINY: typeof DEFAULTS = {
  ...DEFAULTS,
  callers: '200',
  rounds: '1',
  minutes: '0.1',
  rate: '20',
  hammer: '20',
};
const USAGE = `npm run bench -- <part>... with ${Object.keys(PARTS).join(', ')} or all
  --callers 10000      callers in the environment of throughput and cron; 1000000 takes 10 minutes and 4 GB to build
  --rounds 5           rounds of throughput, cron and first-paint
  --minutes 30 --rate 50 --faults 5 --seed 1   load: requests per second, % of the third parties' responses
  --hammer 200 --addresses 1   load: more addresses send this many requests per second, in the second half
  --tiny               the smallest sizes; goals don't count`;

/** Ports of the local product. The chain also uses the port after `solanaPort`. */
const PORTS = { port: 19687, solanaPort: 19688, standInsPort: 19690 };

function readArguments() {
  const texts = Object.keys(DEFAULTS).map((name) => [name, { type: 'string' }] as const);
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { ...Object.fromEntries(texts), tiny: { type: 'boolean', default: false } },
  });
  const names = positionals.includes('all') ? Object.keys(PARTS) : positionals;
  if (names.length === 0 || !names.every((name) => name in PARTS)) throw new Error(USAGE);
  const isTiny = Boolean(values['tiny']);
  const given = { ...(isTiny ? TINY : DEFAULTS), ...values };
  const numbers = Object.keys(DEFAULTS).map((name) => [name, Number(given[name as keyof typeof given])]);
  const options = { ...Object.fromEntries(numbers), isTiny } as BenchOptions;
  return { chosen: Object.entries(PARTS).filter(([name]) => names.includes(name)), options };
}

/** Creates the sample data in a separate process, which takes a minute, and copies it. */
async function prepareSampleData(): Promise<Settings> {
  const dataDir = mkdtempSync(join(tmpdir(), 'solcallers-bench-'));
  const settings = { ...PORTS, dataDir, productUrl: `http://localhost:${PORTS.port}` };
  await copySampleData([settings]);
  return settings;
}

async function startLocalEnvironment(settings: Settings): Promise<LocalEnvironment> {
  const { dataDir, productUrl } = settings;
  const product = await startLocalProduct(settings, { isWatching: false, log: console.log });
  return {
    ...product,
    dataDir,
    productUrl,
    async close() {
      await product.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const { chosen, options } = readArguments();
let local: Promise<LocalEnvironment> | undefined;
let environment: Promise<BenchEnvironment> | undefined;
// With tiny sizes, no result counts. So the sample data may be created while other parts run.
const usesLocal = chosen.some(([name]) => ['first-paint', 'weight', 'chats', 'load'].includes(name));
let sampleData = options.isTiny && usesLocal ? prepareSampleData() : undefined;
sampleData?.catch(() => undefined);
const context: Context = {
  options,
  openEnvironment: () => (environment ??= openBenchEnvironment(options.callers)),
  openLocal: () => (local ??= (sampleData ??= prepareSampleData()).then(startLocalEnvironment)),
};
const close = async () => (await local)?.close();
process.once('SIGINT', () => void close().then(() => process.exit(1)));
/** @returns false if the part failed or missed a goal */
async function runPart(name: string, measure: Part): Promise<boolean> {
  const startedAt = performance.now();
  try {
    const missed = reportResults(name, await measure(context));
    console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    if (missed.length === 0 || options.isTiny) return true;
    console.log(`Missed goals:\n  ${missed.join('\n  ')}`);
  } catch (error) {
    console.error(`${name} failed:`, error);
  }
  return false;
}

try {
  for (const [name, measure] of chosen) {
    if (!(await runPart(name, measure))) process.exitCode = 1;
  }
} finally {
  await close();
}
// A runtime that a part has started may still hold a connection open.
process.exit();

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { extname, join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from 'miniflare';
import { build } from 'vite';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { buildProduct } from '#dev/build-product.ts';
import { prepareSite } from '#dev/prepare-site.ts';
import { productVars } from '#dev/product-vars.ts';
import { root } from '#dev/settings.ts';
import { startWorld } from '#dev/world.ts';
import type { Counts, StatementCounts } from './count-operations.ts';

// Without this, Miniflare would ask Cloudflare for this machine's location.
process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';

const APP_ORIGIN = 'http://localhost:19687';
const COMPATIBILITY_DATE = '2026-10-23';

export interface ProductOptions {
  /** Has the state of the local runtime in `state/v3`. */
  readonly dataDir: string;
  /** Counts D1 and KV operations, and switches off the rate limits. */
  readonly isCounting: boolean;
  /** Additional static files, by their name. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface MeasuredProduct {
  readonly url: string;
  readonly standInsUrl: string;
  /** Operations since the last time. */
  readCounts(): Promise<Counts>;
  /** Runs the statements in one transaction. */
  runSql(statements: readonly string[]): Promise<StatementCounts[]>;
  runCron(): Promise<void>;
  close(): Promise<void>;
}

/** Serves the production build with Miniflare alone, because wrangler's proxy takes longer than most requests. */
export async function startMeasuredProduct({
  dataDir,
  isCounting,
  files = {},
}: ProductOptions): Promise<MeasuredProduct> {
  await buildProduct();
  const world = await startWorld({
    dataDir,
    ports: { solana: 0, standIns: 0 },
    productUrl: APP_ORIGIN,
    now: () => Date.now(),
    liftsRateLimits: true,
  });
  const vars = productVars({ productUrl: APP_ORIGIN, world });
  const configPath = await prepareSite({ dataDir, vars, solanaUrl: world.solanaUrl });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dataDir, 'site/client', name), text);
  const folder = join(dataDir, 'site/worker');
  if (isCounting) writeCountingEntry(folder);
  const { workerOptions } = unstable_getMiniflareWorkerOptions(configPath);
  const { modulesRules: _rules, ...options } = workerOptions as V4WorkerOptions & { modulesRules?: unknown };
  const worker = {
    ...options,
    name: 'solcallers',
    modulesRoot: folder,
    modules: listModules(folder, isCounting ? COUNTING_ENTRY : 'index.js'),
  } as V4WorkerOptions;
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({ workers: [worker] }),
    resourcePersistencePath: join(dataDir, 'state/v3'),
  });
  const url = (await miniflare.ready).origin;
  const ask = async <Answer>(path: string, init?: RequestInit) => {
    const response = await fetch(`${url}${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  return {
    url,
    standInsUrl: world.standInsUrl,
    readCounts: () => ask<Counts>('/bench/counts'),
    runSql: (statements) => ask('/bench/sql', { method: 'POST', body: JSON.stringify(statements) }),
    async runCron() {
      const handler = (await miniflare.getWorker('solcallers')) as unknown as {
        scheduled(event: { cron: string }): Promise<{ outcome: string }>;
      };
      const { outcome } = await handler.scheduled({ cron: '* * * * *' });
      if (outcome !== 'ok') throw new Error(`The cron failed: ${outcome}`);
    },
    async close() {
      await miniflare.dispose();
      await world.close();
    },
  };
}

const CACHE_ENTRY = `
  import { fetchThroughCache } from './cache.js';
  export default { fetch: fetchThroughCache };`;

/** Serves the local shared cache in front of a product, as a worker in a workerd of its own. */
export async function startMeasuredCache(
  originUrl: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const worker = {
    name: 'cache',
    modules: [
      { type: 'ESModule', path: 'entry.js', contents: CACHE_ENTRY },
      { type: 'ESModule', path: 'cache.js', contents: await bundleCache() },
    ],
    compatibilityDate: COMPATIBILITY_DATE,
    bindings: { ORIGIN: originUrl },
  } as V4WorkerOptions;
  const miniflare = new Miniflare(convertV4MiniflareOptions({ workers: [worker] }));
  const url = (await miniflare.ready).origin;
  return { url, close: () => miniflare.dispose() };
}

const COUNTING_ENTRY = 'counting-entry.js';

function writeCountingEntry(folder: string): void {
  const source = readFileSync(join(root, 'bench/support/count-operations.ts'), 'utf8');
  writeFileSync(join(folder, 'count-operations.js'), stripTypeScriptTypes(source));
  const entry = `
    import product from './index.js';
    import { countOperations } from './count-operations.js';
    export * from './index.js';
    export default countOperations(product);`;
  writeFileSync(join(folder, COUNTING_ENTRY), entry);
}

const MODULE_TYPES: Readonly<Record<string, string>> = {
  '.js': 'ESModule',
  '.wasm': 'CompiledWasm',
  '.bin': 'Data',
};

/** The first module is the worker's entry. */
function listModules(folder: string, entry: string): { type: string; path: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => extname(file) in MODULE_TYPES && !file.startsWith('.'))
    .sort((one, other) => Number(other === entry) - Number(one === entry))
    .map((file) => ({ type: MODULE_TYPES[extname(file)] ?? '', path: join(folder, file) }));
}

async function bundleCache(): Promise<string> {
  const output = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    build: {
      write: false,
      lib: { entry: join(root, 'bench/support/cache-worker.ts'), formats: ['es'], fileName: 'cache' },
    },
  });
  const [result] = [output].flat();
  if (!result || !('output' in result)) throw new Error('The cache could not be bundled.');
  return result.output[0].code;
}

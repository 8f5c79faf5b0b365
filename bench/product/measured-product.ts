import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { extname, join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { buildProduct } from '#dev/build/build-product.ts';
import { prepareSite } from '#dev/local/prepare-site.ts';
import { productVars } from '#dev/local/product-vars.ts';
import { root } from '#dev/settings.ts';
import { startEnvironment } from '#dev/local/environment.ts';
import type { Invocation } from './count-operations.ts';
import { startPriceSources } from './price-sources.ts';

// Stops Miniflare from requesting this machine's location from Cloudflare.
process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';

const APP_ORIGIN = 'http://localhost:19687';
const COUNTING_ENTRY = 'counting-entry.js';

export interface ProductOptions {
  /** The folder with the local runtime's state in `state/v3`. */
  readonly dataDir: string;
  /** True to count the operations of the cron's jobs and switch off the rate limits. */
  readonly isCounting: boolean;
}

export type MeasuredProduct = Awaited<ReturnType<typeof startMeasuredProduct>>;

/** Serves the production build with Miniflare alone, because wrangler's proxy takes longer than most requests. */
export async function startMeasuredProduct({ dataDir, isCounting }: ProductOptions) {
  await buildProduct();
  const environment = await startEnvironment({
    dataDir,
    ports: { solana: 0, standIns: 0 },
    productUrl: APP_ORIGIN,
    now: () => Date.now(),
    liftsRateLimits: true,
  });
  const sources = await startPriceSources();
  const prices = { JUPITER_URL: sources.url, DEXSCREENER_URL: sources.url };
  const vars = { ...productVars({ productUrl: APP_ORIGIN, environment }), ...prices };
  const configPath = await prepareSite({ dataDir, vars, solanaUrl: environment.solanaUrl });
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
  return {
    url,
    /** Runs the cron once. Returns each invocation's operations. */
    async runCron() {
      const handler = (await miniflare.getWorker('solcallers')) as unknown as {
        scheduled(event: { cron: string }): Promise<{ outcome: string }>;
      };
      const { outcome } = await handler.scheduled({ cron: '* * * * *' });
      if (outcome !== 'ok') throw new Error(`The cron failed: ${outcome}`);
      return (await (await fetch(`${url}/bench/invocations`)).json()) as Invocation[];
    },
    async close() {
      await miniflare.dispose();
      await environment.close();
      sources.close();
    },
  };
}

function writeCountingEntry(folder: string): void {
  const source = readFileSync(join(root, 'bench/product/count-operations.ts'), 'utf8');
  writeFileSync(join(folder, 'count-operations.js'), stripTypeScriptTypes(source));
  const entry = `
    import product, { CronWatch as Jobs } from './index.js';
    import { countJobs, countOperations } from './count-operations.js';
    export * from './index.js';
    export const CronWatch = countJobs(Jobs);
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

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getPlatformProxy, unstable_readConfig } from 'wrangler';
import { checkPorts } from './check-ports.ts';
import { platformAddress, productVars } from './product-vars.ts';
import type { Runtime, RuntimeOptions } from './runtime.ts';
import type { LocalD1 } from './seed/inserter.ts';
import { seed } from './seed/seed.ts';
import { serveBuild } from './serve-build.ts';
import { root, type Settings } from './settings.ts';
import { registerWebhook } from './telegram/register-webhook.ts';
import { waitUntilAnswering } from './wait-until-answering.ts';
import { watchProduct } from './watch-product.ts';
import { runWrangler } from './wrangler.ts';
import { startWorld, type World } from './world.ts';

// Without this, Miniflare would ask Cloudflare for this machine's location.
process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';

const MINUTE_MS = 60_000;
const CONFIG = join(root, 'wrangler.toml');

export interface LocalProduct {
  readonly world: World;
  /** Resolves when the runtime exits by itself. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export interface StartOptions {
  /** Serve the sources with hot reloading instead of the production build. */
  readonly isWatching: boolean;
  readonly log: (line: string) => void;
}

/**
 * Starts the product on workerd with a local world. Migrates the database, seeds it once and runs the cron.
 */
export async function startLocalProduct(
  settings: Settings,
  { isWatching, log }: StartOptions,
): Promise<LocalProduct> {
  await checkPorts(settings);
  const { dataDir, productUrl, port } = settings;
  // If the seed was interrupted, the data is incomplete, so start over.
  const seededMark = join(dataDir, 'seeded');
  if (!existsSync(seededMark)) rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });

  const world = await startWorld({
    dataDir,
    ports: { solana: settings.solanaPort, standIns: settings.standInsPort },
    productUrl,
    now: () => Date.now(),
  });
  let runtime: Runtime | undefined;
  try {
    const stateDir = join(dataDir, 'state');
    log('Migrating the database...');
    const migrate = ['d1', 'migrations', 'apply', 'DB', '--local'];
    await runWrangler([...migrate, '--persist-to', stateDir, '--config', CONFIG]);
    if (!existsSync(seededMark)) {
      log('Creating sample data...');
      writeFileSync(seededMark, JSON.stringify(await createSampleData(world, stateDir)));
    }

    log(isWatching ? 'Starting workerd and watching the sources...' : 'Building and starting workerd...');
    const vars = productVars({ productUrl, world });
    const options: RuntimeOptions = { port, dataDir, stateDir, solanaUrl: world.solanaUrl, vars };
    const started = await (isWatching ? watchProduct(options) : serveBuild(options));
    runtime = started;
    const runCron = () => fetch(`${productUrl}/cdn-cgi/handler/scheduled`);
    await Promise.race([
      waitUntilAnswering(`${productUrl}/api/callers?limit=1`),
      started.ended.then(() => Promise.reject(new Error('workerd exited before it was ready.'))),
    ]);
    await runCron();
    await registerWebhook({ productUrl, vars });
    const ticking = setInterval(() => void runCron().catch(() => undefined), MINUTE_MS);
    return {
      world,
      ended: started.ended,
      async close() {
        clearInterval(ticking);
        await started.close();
        await world.close();
      },
    };
  } catch (error) {
    await runtime?.close();
    await world.close();
    throw error;
  }
}

async function createSampleData({ chain, standInsUrl }: World, stateDir: string) {
  // Configures only the database. With Durable Objects, the proxy would warn that it can't run them.
  const { name, compatibility_date, d1_databases } = unstable_readConfig({ config: CONFIG });
  const configPath = join(stateDir, 'seed.json');
  writeFileSync(configPath, JSON.stringify({ name, compatibility_date, d1_databases }));
  const { env, dispose } = await getPlatformProxy<{ DB: LocalD1 }>({
    configPath,
    persist: { path: join(stateDir, 'v3') },
  });
  const counts = await seed({ d1: env.DB, chain, now: Date.now(), platformAddress, standInsUrl });
  await dispose();
  return counts;
}

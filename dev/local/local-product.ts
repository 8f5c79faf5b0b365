import { join } from 'node:path';
import { buildProductApart } from '../build/build-product.ts';
import { checkPorts } from './check-ports.ts';
import { lockDataFolder } from './data-folder.ts';
import { prepareData } from './prepare-data.ts';
import { ANCHOR_LAMPORTS, anchorKeypair, productVars } from './product-vars.ts';
import type { Runtime, RuntimeOptions } from './runtime.ts';
import { serveBuild } from './serve-build.ts';
import { stateDirOf, type Settings } from '../settings.ts';
import { registerWebhook } from '../telegram/register-webhook.ts';
import { waitUntilReachable } from './wait-until-reachable.ts';
import { startEnvironment, type Environment } from './environment.ts';

const MINUTE_MS = 60_000;
/** A slow machine that does something else, too, needs a few minutes. */
const START_WITHIN_MS = 10 * MINUTE_MS;

export interface LocalProduct {
  readonly environment: Environment;
  /** Resolves when the runtime exits by itself. */
  readonly ended: Promise<void>;
  /** Starts the runtime again, for example after it was killed. Resolves when it answers. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface StartOptions {
  /** Serve the sources with hot reloading instead of the production build. */
  readonly isWatching: boolean;
  readonly log: (line: string) => void;
}

/**
 * Starts the product on workerd with a local environment. Creates the sample data once, and runs the cron.
 */
export async function startLocalProduct(settings: Settings, options: StartOptions): Promise<LocalProduct> {
  const unlock = lockDataFolder(settings.dataDir);
  try {
    moveWranglerFolders(settings.dataDir);
    await checkPorts(settings);
    await prepare(settings, options);
    const product = await start(settings, options);
    return { ...product, close: () => product.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Wrangler and Miniflare write into the home folder by default, which may be read-only. */
function moveWranglerFolders(dataDir: string): void {
  const folder = join(dataDir, 'wrangler');
  Object.assign(process.env, {
    XDG_CONFIG_HOME: folder,
    XDG_CACHE_HOME: join(folder, 'cache'),
    WRANGLER_REGISTRY_PATH: join(folder, 'registry'),
    MINIFLARE_REGISTRY_PATH: join(folder, 'registry'),
  });
}

async function prepare(settings: Settings, { isWatching, log }: StartOptions): Promise<void> {
  if (!isWatching) log('Building what has changed...');
  await Promise.all([prepareData(settings, { log }), isWatching ? null : buildProductApart()]);
}

/** Loads the development server only if it's needed, because that takes seconds. */
async function watch(options: RuntimeOptions): Promise<Runtime> {
  const { watchProduct } = await import('./watch-product.ts');
  return watchProduct(options);
}

async function start(settings: Settings, { isWatching, log }: StartOptions): Promise<LocalProduct> {
  const { dataDir, productUrl, port } = settings;
  const environment = await startEnvironment({
    dataDir,
    ports: { solana: settings.solanaPort, standIns: settings.standInsPort },
    productUrl,
    now: () => Date.now(),
  });
  let runtime: Runtime | undefined;
  try {
    const anchorAddress = anchorKeypair.publicKey.toBase58();
    if (environment.chain.balance(anchorAddress) < ANCHOR_LAMPORTS) {
      environment.chain.airdrop(anchorAddress, ANCHOR_LAMPORTS);
    }

    log(isWatching ? 'Starting workerd and watching the sources...' : 'Starting workerd...');
    const vars = productVars({ productUrl, environment });
    const { solanaUrl } = environment;
    const options: RuntimeOptions = { port, dataDir, stateDir: stateDirOf(settings), solanaUrl, vars };
    const serve = async () => {
      const started = await (isWatching ? watch(options) : serveBuild(options));
      runtime = started;
      await Promise.race([
        waitUntilReachable(`${productUrl}/api/callers?limit=1`, START_WITHIN_MS),
        started.ended.then(() => Promise.reject(new Error('workerd exited before it was ready.'))),
      ]);
      return started;
    };
    const { ended } = await serve();
    const runCron = () => fetch(`${productUrl}/cdn-cgi/handler/scheduled`);
    await runCron();
    await registerWebhook({ productUrl, vars });
    const ticking = setInterval(() => void runCron().catch(() => undefined), MINUTE_MS);
    return {
      environment,
      ended,
      async restart() {
        await runtime?.close();
        await serve();
      },
      async close() {
        clearInterval(ticking);
        await runtime?.close();
        await environment.close();
      },
    };
  } catch (error) {
    await runtime?.close();
    await environment.close();
    throw error;
  }
}

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASELINE } from './baseline.ts';
import { checkPorts } from './check-ports.ts';
import { anchorKeypair, platformAddress, productVars } from './product-vars.ts';
import { withLocalDatabase } from './local-database.ts';
import type { Runtime, RuntimeOptions } from './runtime.ts';
import { seed } from './seed/seed.ts';
import { serveBuild } from './serve-build.ts';
import type { Settings } from './settings.ts';
import { registerWebhook } from './telegram/register-webhook.ts';
import { waitUntilAnswering } from './wait-until-answering.ts';
import { watchProduct } from './watch-product.ts';
import { startWorld, type World } from './world.ts';

const MINUTE_MS = 60_000;
/** Enough for years of hourly anchors. */
const ANCHOR_LAMPORTS = 1_000_000_000n;

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
  // Start over if the seed was interrupted, or if the database was created with another schema.
  const seededMark = join(dataDir, `seeded-${schemaHash()}`);
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
    await withLocalDatabase(stateDir, async (d1) => {
      if (existsSync(seededMark)) return;
      log('Creating sample data...');
      const { chain, standInsUrl } = world;
      const counts = await seed({ d1, chain, now: Date.now(), platformAddress, standInsUrl });
      writeFileSync(seededMark, JSON.stringify(counts));
    });
    // After the sample data, whose transactions are older.
    const anchorAddress = anchorKeypair.publicKey.toBase58();
    if (world.chain.balance(anchorAddress) < ANCHOR_LAMPORTS) {
      world.chain.airdrop(anchorAddress, ANCHOR_LAMPORTS);
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

const schemaHash = () => createHash('sha256').update(readFileSync(BASELINE)).digest('hex').slice(0, 8);

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getPlatformProxy } from 'wrangler';
import { buildProduct } from './build-product.ts';
import { checkPorts } from './check-ports.ts';
import { prepareSite } from './prepare-site.ts';
import { platformAddress, productVars } from './product-vars.ts';
import type { LocalD1 } from './seed/inserter.ts';
import { seed } from './seed/seed.ts';
import type { Settings } from './settings.ts';
import { runWrangler, startWrangler } from './wrangler.ts';
import { startWorld, type World } from './world.ts';

const MINUTE_MS = 60_000;
const START_ATTEMPTS = 240;
const START_POLL_MS = 250;

export interface LocalProduct {
  readonly world: World;
  /** Runs the worker's cron now. */
  runCron(): Promise<void>;
  /** Resolves when the runtime has ended by itself. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Starts the production build on workerd amid a local world: built, migrated, seeded once, with its cron. */
export async function startLocalProduct(settings: Settings, { log }: { log: (line: string) => void }): Promise<LocalProduct> {
  await checkPorts(settings);
  const { dataDir, productUrl } = settings;
  log('Building...');
  await buildProduct();

  // A seed that was cut off leaves half a world: begin anew.
  const seededMark = join(dataDir, 'seeded');
  if (!existsSync(seededMark)) rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });

  const world = await startWorld({ dataDir, ports: { solana: settings.solanaPort, standIns: settings.standInsPort }, productUrl, now: () => Date.now() });
  try {
    const { solanaUrl, standInsUrl } = world;
    const configPath = await prepareSite({ dataDir, solanaUrl, vars: productVars({ productUrl, solanaUrl, standInsUrl }) });
    const state = join(dataDir, 'state');
    log('Migrating the database...');
    await runWrangler(['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', state, '--config', configPath]);
    if (!existsSync(seededMark)) {
      log('Seeding a world with a past...');
      const { env, dispose } = await getPlatformProxy<{ DB: LocalD1 }>({ configPath, persist: { path: join(state, 'v3') } });
      const counts = await seed({ d1: env.DB, chain: world.chain, now: Date.now(), platformAddress, standInsUrl });
      await dispose();
      writeFileSync(seededMark, JSON.stringify(counts));
    }

    log('Starting workerd...');
    const runtime = startWrangler(
      ['dev', '--config', configPath, '--port', String(settings.port), '--persist-to', state, '--show-interactive-dev-session=false', '--log-level', 'error'],
      { stdio: 'inherit' },
    );
    const ended = new Promise<void>((resolve) => runtime.on('close', () => resolve()));
    const runCron = async () => {
      const response = await fetch(`${productUrl}/cdn-cgi/handler/scheduled`);
      if (!response.ok) throw new Error(`The cron answered ${response.status}`);
    };
    await waitUntilAnswering(`${productUrl}/api/callers?limit=1`, () => runtime.exitCode !== null);
    await runCron();
    const ticking = setInterval(() => void runCron().catch(() => undefined), MINUTE_MS);
    return {
      world,
      runCron,
      ended,
      async close() {
        clearInterval(ticking);
        runtime.kill('SIGTERM');
        await ended;
        await world.close();
      },
    };
  } catch (error) {
    await world.close();
    throw error;
  }
}

async function waitUntilAnswering(url: string, hasEnded: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt++) {
    if (hasEnded()) throw new Error('workerd ended before it answered.');
    const isUp = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, START_POLL_MS));
  }
  throw new Error(`${url} did not answer within a minute.`);
}

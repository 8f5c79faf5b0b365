import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startWrangler } from '#dev/build/wrangler.ts';
import { findFreePort } from '#dev/local/free-port.ts';
import { productVars } from '#dev/local/product-vars.ts';
import { waitUntilReachable } from '#dev/local/wait-until-reachable.ts';
import { runScript } from '../wrangler.ts';
import type { ProjectCopy } from './copy-project.ts';

/** Builds the worker of a copy of the project, without the web app, into the folder `name` of the copy. */
export async function buildWorker(copy: ProjectCopy, name: string): Promise<string> {
  const { NODE_ENV: _, ...env } = process.env;
  const script = join(copy.root, `build-${name}.mjs`);
  const outDir = join(copy.root, name);
  writeFileSync(
    script,
    `import { createBuilder } from 'vite';
     const build = { outDir: ${JSON.stringify(outDir)} };
     const configFile = ${JSON.stringify(join(copy.root, 'vite.config.ts'))};
     const builder = await createBuilder({ configFile, build, logLevel: 'warn' });
     await builder.build(builder.environments.solcallers);`,
  );
  await runScript(script, [], env);
  mkdirSync(join(outDir, 'client'));
  return join(outDir, 'solcallers');
}

/** The worker, which also runs SQL: the local database refuses a second process, and D1 is one. */
const ENTRY = `
import product from './index.js';
export * from './index.js';
export default {
  ...product,
  async fetch(request, env, context) {
    if (new URL(request.url).pathname !== '/sql') return product.fetch(request, env, context);
    const statements = await request.json();
    await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)));
    return new Response();
  },
};
`;

export interface LocalVersion {
  readonly origin: string;
  /** Runs statements in a transaction of the database that the version uses. */
  runSql(statements: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/** Serves a built worker with the database in `stateDir`, without third parties and limits of requests. */
export async function serveWorker(build: string, stateDir: string): Promise<LocalVersion> {
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const nowhere = 'http://127.0.0.1:9';
  const urls = { solanaUrl: nowhere, solanaFallbackUrl: `${nowhere}/2`, standInsUrl: nowhere };
  const vars = productVars({
    productUrl: origin,
    environment: { ...urls, chain: { genesisHash: '1'.repeat(32) } },
  });
  const built = JSON.parse(readFileSync(join(build, 'wrangler.json'), 'utf8')) as { ratelimits: object[] };
  const ratelimits = built.ratelimits.map((limit) => ({
    ...limit,
    simple: { limit: 1_000_000, period: 60 },
  }));
  const config = join(build, 'local.json');
  writeFileSync(join(build, 'entry.js'), ENTRY);
  writeFileSync(config, JSON.stringify({ ...built, main: 'entry.js', vars, ratelimits }));
  const serve = ['dev', '--config', config, '--port', String(port), '--persist-to', stateDir];
  const quietly = ['--inspector-port', '0', '--show-interactive-dev-session=false', '--log-level', 'error'];
  const wrangler = startWrangler([...serve, ...quietly], { stdio: 'inherit' });
  const stop = async () => {
    const end = once(wrangler, 'close');
    wrangler.kill('SIGTERM');
    await end;
  };
  try {
    await waitUntilReachable(`${origin}/api/health`);
    return {
      origin,
      stop,
      async runSql(statements) {
        const body = JSON.stringify(statements);
        const { ok, status } = await fetch(`${origin}/sql`, { method: 'POST', body });
        if (!ok) throw new Error(`The SQL failed: ${status}`);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

import { serveCached } from '../stand-ins/cache/serve-cached.ts';
import { findFreePort } from './free-port.ts';
import { prepareSite } from './prepare-site.ts';
import type { Runtime, RuntimeOptions } from './runtime.ts';
import { startWrangler } from '../build/wrangler.ts';

/** Serves the build that `buildProduct` has made. */
export async function serveBuild(options: RuntimeOptions): Promise<Runtime> {
  const { port, dataDir, stateDir, vars, solanaUrl } = options;
  const configPath = await prepareSite({ dataDir, vars, solanaUrl });
  const originPort = await findFreePort();
  const serve = ['dev', '--config', configPath, '--port', String(originPort), '--persist-to', stateDir];
  // With these options, the worker sees the address that the browser requested, not the one behind the cache.
  const behindCache = ['--local-upstream', `localhost:${port}`, '--upstream-protocol', 'http'];
  // Port 0 picks a free port for the inspector. Without it, two products that start at the same time may pick
  // the same port.
  const withInspector = ['--inspector-port', '0'];
  const quietly = ['--show-interactive-dev-session=false', '--log-level', 'error'];
  const args = [...serve, ...behindCache, ...withInspector, ...quietly];
  const wrangler = startWrangler(args, { stdio: 'inherit' });
  const cache = await serveCached({ port, originPort });
  const ended = new Promise<void>((resolve) => wrangler.on('close', () => resolve()));
  return {
    ended,
    async close() {
      cache.close();
      wrangler.kill('SIGTERM');
      await ended;
    },
  };
}

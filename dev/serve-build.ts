import { buildProduct } from './build-product.ts';
import { prepareSite } from './prepare-site.ts';
import type { Runtime, RuntimeOptions } from './runtime.ts';
import { startWrangler } from './wrangler.ts';

export async function serveBuild(options: RuntimeOptions): Promise<Runtime> {
  const { port, dataDir, stateDir, vars, solanaUrl } = options;
  await buildProduct();
  const configPath = await prepareSite({ dataDir, vars, solanaUrl });
  const serve = ['dev', '--config', configPath, '--port', String(port), '--persist-to', stateDir];
  // Sets the inspector's port. Otherwise two products that start at the same time may pick the same one.
  const withInspector = ['--inspector-port', '0'];
  const quietly = ['--show-interactive-dev-session=false', '--log-level', 'error'];
  const wrangler = startWrangler([...serve, ...withInspector, ...quietly], { stdio: 'inherit' });
  const ended = new Promise<void>((resolve) => wrangler.on('close', () => resolve()));
  return {
    ended,
    async close() {
      wrangler.kill('SIGTERM');
      await ended;
    },
  };
}

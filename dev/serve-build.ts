import { buildProduct } from './build-product.ts';
import { prepareSite } from './prepare-site.ts';
import type { Runtime, RuntimeOptions } from './runtime.ts';
import { startWrangler } from './wrangler.ts';

export async function serveBuild(options: RuntimeOptions): Promise<Runtime> {
  const { port, dataDir, stateDir, vars, solanaUrl } = options;
  await buildProduct();
  const configPath = await prepareSite({ dataDir, vars, solanaUrl });
  const wrangler = startWrangler(
    [
      'dev',
      '--config',
      configPath,
      '--port',
      String(port),
      '--persist-to',
      stateDir,
      '--show-interactive-dev-session=false',
      '--log-level',
      'error',
    ],
    { stdio: 'inherit' },
  );
  const ended = new Promise<void>((resolve) => wrangler.on('close', () => resolve()));
  return {
    ended,
    async close() {
      wrangler.kill('SIGTERM');
      await ended;
    },
  };
}

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, mergeConfig } from 'vite';
import { createViteConfig } from '../../vite.config.ts';
import { buildLocalWallet } from '../wallet/build.ts';
import type { Runtime, RuntimeOptions } from './runtime.ts';
import { root } from '../settings.ts';

/** Serves the sources with hot reloading instead of the build. The worker still runs in workerd. */
export async function watchProduct({
  port,
  dataDir,
  stateDir,
  vars,
  solanaUrl,
}: RuntimeOptions): Promise<Runtime> {
  const walletDir = join(dataDir, 'wallet');
  await buildLocalWallet({ rpcUrl: solanaUrl, outFile: join(walletDir, 'local-wallet.js') });
  process.env['VITE_LOG_RPC_URL'] = solanaUrl;
  const server = await createServer({
    ...mergeConfig(
      createViteConfig({
        persistState: { path: stateDir },
        config: (config) => {
          config.vars = { ...config.vars, ...vars };
          // Vite serves the modules in web/api/ under /api/. The worker must not get those requests.
          const { run_worker_first: first } = config.assets ?? {};
          config.assets = {
            ...config.assets,
            run_worker_first: [...(Array.isArray(first) ? first : []), '!/api/*.ts'],
          };
        },
      }),
      {
        server: {
          port,
          strictPort: true,
          // Vite doesn't read `_headers`, whose policy refuses its inline scripts. Without a policy, pages would get the one of
          // the worker's other responses, which allows nothing.
          headers: { 'Content-Security-Policy': "frame-ancestors 'none'" },
          fs: { allow: ['..', walletDir, realpathSync(join(root, 'node_modules'))] },
        },
        plugins: [
          {
            name: 'local-wallet',
            transformIndexHtml: () => [
              {
                tag: 'script',
                attrs: { defer: true, src: `/@fs${join(walletDir, 'local-wallet.js')}` },
                injectTo: 'head',
              },
            ],
          },
        ],
      },
    ),
    configFile: false,
  });
  await server.listen();
  return { ended: new Promise(() => undefined), close: () => server.close() };
}

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** `waitUntil` is all that the services need of the runtime; its promises never reject. */
const RUNTIME = 'data:text/javascript,export const waitUntil = () => undefined;';

/** Lets this process import the worker's services: only workerd has `cloudflare:workers` and modules of bytes. */
export function allowWorkerImports(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'cloudflare:workers' ? { url: RUNTIME, shortCircuit: true } : next(specifier, context),
    load(url, context, next) {
      if (!url.endsWith('.bin')) return next(url, context);
      const bytes = readFileSync(fileURLToPath(url)).toString('base64');
      const source = `export default Uint8Array.from(Buffer.from('${bytes}', 'base64')).buffer;`;
      return { format: 'module', source, shortCircuit: true };
    },
  });
}

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../settings.ts';
import { virtualModule } from '../virtual-module.ts';
import type { generateDocs } from './generate-docs.ts';
/** Not a literal in `import()`, because Vite would then bundle the worker with its own configuration. */
const GENERATOR = pathToFileURL(join(root, 'dev/build/open-api/generate-docs.ts')).href;

/** Gives the worker the documentation of its routes, which is generated when a module first needs it. */
export const apiDocs = () =>
  virtualModule('api-docs', async () => {
    // It imports the worker and a second TypeScript, which takes a second.
    const generator = (await import(GENERATOR)) as { readonly generateDocs: typeof generateDocs };
    return generator.generateDocs();
  });

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { root } from '../../settings.ts';
import type { generateDocument } from './generate-document.ts';

const MODULE = 'virtual:open-api-document';
/** Not a literal in `import()`, because Vite would then bundle the worker with its own configuration. */
const GENERATOR = pathToFileURL(join(root, 'dev/build/open-api/generate-document.ts')).href;

/** Gives the worker the OpenAPI document of its routes, which is generated when a module first needs it. */
export function openApiDocument(): Plugin {
  return {
    name: 'open-api-document',
    resolveId: (source) => (source === MODULE ? `\0${MODULE}` : null),
    load: async (id) => {
      if (id !== `\0${MODULE}`) return null;
      // It imports the worker and a second TypeScript, which takes a second.
      const generator = (await import(GENERATOR)) as { readonly generateDocument: typeof generateDocument };
      const json = JSON.stringify(generator.generateDocument());
      // Engines parse JSON faster than code.
      return `export default JSON.parse(${JSON.stringify(json)});`;
    },
  };
}

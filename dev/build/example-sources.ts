import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { root } from '../settings.ts';

const MODULE = 'virtual:example-sources';
const FILES = { bot: 'bot.ts', receiver: 'webhook-receiver.ts' };

/** Gives the worker the text of the programs in dev/examples, which its documentation shows. */
export function exampleSources(): Plugin {
  const read = (file: string) => readFileSync(join(root, 'dev/examples', file), 'utf8');
  return {
    name: 'example-sources',
    resolveId: (source) => (source === MODULE ? `\0${MODULE}` : null),
    load: (id) =>
      id === `\0${MODULE}`
        ? Object.entries(FILES)
            .map(([name, file]) => `export const ${name} = ${JSON.stringify(read(file))};`)
            .join('\n')
        : null,
  };
}

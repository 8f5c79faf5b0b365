import { join } from 'node:path';
import type { Plugin } from 'vite';
import { ANSWER_TYPES } from '#worker/modules/public/open-api/operations.ts';
import { root } from './settings.ts';

const MODULE = 'virtual:answer-schemas';

/** Makes JSON schemas of the API's answers from the types in schema/contracts when a test first needs them. */
export function answerSchemas(): Plugin {
  return {
    name: 'answer-schemas',
    resolveId: (source) => (source === MODULE ? `\0${MODULE}` : null),
    load: async (id) =>
      id === `\0${MODULE}` ? `export default ${JSON.stringify(await generateSchemas())}` : null,
  };
}

async function generateSchemas(): Promise<unknown> {
  // It brings its own TypeScript, which takes a second to load.
  const { createGenerator } = await import('ts-json-schema-generator');
  const generator = createGenerator({
    // With relative paths, TypeScript doesn't find the imports that begin with #.
    path: join(root, 'schema/contracts/*.ts'),
    tsconfig: join(root, 'schema/tsconfig.json'),
    skipTypeCheck: true,
    jsDoc: 'extended',
    additionalProperties: false,
  });
  const { definitions } = generator.createSchema([...ANSWER_TYPES]);
  return JSON.parse(JSON.stringify(definitions).replaceAll('#/definitions/', '#/components/schemas/'));
}

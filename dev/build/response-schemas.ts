import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import type { listRoutes } from '#worker/list-routes.ts';
import { root } from '../settings.ts';

const MODULE = 'virtual:response-schemas';
/** Not a literal in `import()`, because Vite would then bundle the worker with its own configuration. */
const LIST_ROUTES = pathToFileURL(join(root, 'worker/list-routes.ts')).href;

/** Makes JSON schemas of the API's responses from the types in schema/contracts when a module first needs them. */
export function responseSchemas(): Plugin {
  return {
    name: 'response-schemas',
    resolveId: (source) => (source === MODULE ? `\0${MODULE}` : null),
    load: async (id) =>
      id === `\0${MODULE}` ? `export default ${JSON.stringify(await generateSchemas())}` : null,
  };
}

/** The types that routes name as their response, and that of errors. */
export async function generateSchemas(): Promise<Record<string, Record<string, unknown>>> {
  const [worker, { createGenerator }] = await Promise.all([
    import(LIST_ROUTES) as Promise<{ readonly listRoutes: typeof listRoutes }>,
    // It brings its own TypeScript, which takes a second to load.
    import('ts-json-schema-generator'),
  ]);
  const responses = worker
    .listRoutes()
    .flatMap(({ facts }) =>
      'summary' in facts ? [facts.response, ...Object.values(facts.otherResponses ?? {})] : [],
    );
  const types = responses.flatMap((response) =>
    typeof response === 'string' ? [response.replace('[]', '')] : [],
  );
  const generator = createGenerator({
    // With relative paths, TypeScript doesn't find the imports that begin with #.
    path: join(root, 'schema/contracts/*.ts'),
    tsconfig: join(root, 'schema/tsconfig.json'),
    skipTypeCheck: true,
    jsDoc: 'extended',
    additionalProperties: false,
  });
  const { definitions } = generator.createSchema([...new Set(['ErrorBody', ...types])]);
  return JSON.parse(
    JSON.stringify(definitions).replaceAll('#/definitions/', '#/components/schemas/'),
  ) as Record<string, Record<string, unknown>>;
}

import { join } from 'node:path';
import { createGenerator } from 'ts-json-schema-generator';
import { errorStatuses } from '#schema/contracts/errors.ts';
import { listRoutes } from '#worker/list-routes.ts';
import { root } from '../../settings.ts';
import { composeDocument, WEBHOOK_SCHEMAS } from './compose-document.ts';
import { documentPage } from './document-page.ts';
import type { OpenApiDocument, Schema } from './open-api-document.ts';

/** Written by hand, because the generator can't read the type of a code, which follows from a table. */
const ErrorBody: Schema = {
  type: 'object',
  properties: {
    message: { type: 'string' },
    error: {
      type: 'object',
      properties: {
        code: { $ref: '#/components/schemas/ErrorCode' },
        message: { type: 'string' },
        retryable: { const: true, description: 'The same request may succeed after `Retry-After`.' },
      },
      required: ['code', 'message'],
      additionalProperties: true,
    },
  },
  required: ['message', 'error'],
  additionalProperties: false,
  description: '`message` and `error.message` are the same sentence, written for the user.',
};

/** Generates the source of `virtual:api-docs`. */
export async function generateDocs(): Promise<string> {
  const document = generateDocument();
  const texts = { json: JSON.stringify(document), page: String(await documentPage(document)) };
  return Object.entries(texts)
    .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};`)
    .join('\n');
}

/** Generates the OpenAPI document from the routes, and from the types that they name as their response. */
export function generateDocument(): OpenApiDocument {
  const routes = listRoutes();
  const responses = routes.flatMap(({ facts }) =>
    'summary' in facts ? [facts.response, ...Object.values(facts.otherResponses ?? {})] : [],
  );
  const names = responses.filter((response) => typeof response === 'string');
  return composeDocument(routes, {
    ErrorBody,
    ErrorCode: { type: 'string', enum: Object.keys(errorStatuses) },
    ...schemasOf([...names.map((name) => name.replace('[]', '')), ...WEBHOOK_SCHEMAS]),
  });
}

/** Makes JSON schemas from types in schema/contracts, and from the types that these need. */
function schemasOf(types: readonly string[]): Record<string, Schema> {
  const generator = createGenerator({
    // With relative paths, TypeScript doesn't find the imports that begin with #.
    path: join(root, 'schema/contracts/*.ts'),
    tsconfig: join(root, 'schema/tsconfig.json'),
    skipTypeCheck: true,
    jsDoc: 'extended',
    additionalProperties: false,
  });
  const { definitions = {} } = generator.createSchema([...new Set(types)]);
  const sorted = Object.entries(definitions).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.parse(
    JSON.stringify(Object.fromEntries(sorted)).replaceAll('#/definitions/', '#/components/schemas/'),
  ) as Record<string, Schema>;
}

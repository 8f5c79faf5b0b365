import { z } from 'zod';
import { PRODUCT_NAME } from '#schema/constants.ts';
import { errorStatuses, type ErrorCode } from '#schema/contracts/errors.ts';
import { OPERATIONS, TAGS, type Answer, type Operation } from './operations.ts';

type Json = Readonly<Record<string, unknown>>;

/** A route of the app with the schemas that validate its requests, by part of the request. */
export interface DescribedRoute {
  /** Such as `GET /api/callers/:usernameOrId`. */
  readonly route: string;
  readonly schemas: Partial<Record<string, z.ZodType>>;
}

export interface DocumentParts {
  readonly routes: readonly DescribedRoute[];
  /** JSON schemas of the types in schema/contracts, by name. */
  readonly answerSchemas: Json;
}

const HTTP_SWITCHING_PROTOCOLS = 101;

const SESSION = [{ session: [] }];

const DESCRIPTION = `Everything that the app itself uses.

- Amounts are decimal strings in SOL, prices decimal strings in USD, times ISO 8601.
- Every error is an \`ErrorBody\`. A browser that opens an address itself gets errors as a page instead.
- Requests that change something need JSON, and must come from our own site.
- Limits: too many requests get 429 with \`Retry-After\`.
- Lists with a \`Link: rel="next"\` header have more pages.
- Responses without a public \`Cache-Control\` must not be shared between people.`;

/** Composes the OpenAPI document (version 3.1) of these routes. Its order doesn't depend on the order of the routes. */
export function composeDocument({ routes, answerSchemas }: DocumentParts): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const { route, schemas } of routes.toSorted((a, b) => (a.route < b.route ? -1 : 1))) {
    const operation = OPERATIONS[route];
    if (!operation) continue;
    const [method = '', pattern = ''] = route.split(' ');
    const path = pathOf(pattern);
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: describeOperation({ route, method, path, operation, schemas }),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${PRODUCT_NAME} API`,
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-rights-reserved' },
    },
    servers: [{ url: '/', description: 'The site that serves this document.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-session',
          description: 'Set by signing in with X.',
        },
      },
      headers: HEADERS,
      responses: sharedResponses(),
      schemas: sortKeys(answerSchemas),
    },
  };
}

const HEADERS: Json = {
  ETag: {
    description: 'Send it as `If-None-Match` to get 304 if the answer is still the same.',
    schema: { type: 'string' },
  },
  Link: {
    description: 'The next page, with `rel="next"`. Absent on the last page.',
    schema: { type: 'string' },
  },
  Location: { description: 'Where to go on.', schema: { type: 'string' } },
  'Retry-After': { description: 'In seconds.', schema: { type: 'string', pattern: '^\\d+$' } },
};

/** The path in the document. A parameter with a pattern becomes a plain one. */
function pathOf(pattern: string): string {
  return pattern
    .replace(/^\/:part\{sitemap-.*\}$/, '/sitemap-{part}.xml')
    .replace('{.+}', '')
    .replace(/:(\w+)/g, '{$1}');
}

interface OperationParts {
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly schemas: DescribedRoute['schemas'];
}

function describeOperation(parts: OperationParts): Json {
  const { method, path, operation, schemas } = parts;
  const body = schemas['json'];
  const parameters = describeParameters(parts);
  return {
    tags: [operation.tag],
    summary: operation.summary,
    operationId: idOf(method, path),
    security: securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: jsonSchemaOf(body) } } },
    }),
    responses: describeResponses(parts),
  };
}

function securityOf({ session }: Operation): Json[] {
  if (session === 'required') return SESSION;
  return session === 'optional' ? [{}, ...SESSION] : [];
}

/** Such as `getCallersByUsernameOrIdStatistics`. */
function idOf(method: string, path: string): string {
  const words = path
    .replace(/^\/api/, '')
    .replace(/\{(\w+)\}/g, (_, name: string) => `-by-${name}`)
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return (
    method.toLowerCase() + words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')
  );
}

function jsonSchemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json;
}

function describeParameters({ path, operation, schemas }: OperationParts): Json[] {
  const ofPath = propertiesOf(schemas['param']);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: ofPath.properties[name] ?? { type: 'string' },
  }));
  const { properties, required } = propertiesOf(schemas['query']);
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  const others = Object.entries(operation.query ?? {}).map(([name, description]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: { type: 'string' },
  }));
  return [...inPath, ...inQuery, ...others];
}

interface Properties {
  readonly properties: Readonly<Record<string, Json>>;
  readonly required: readonly string[];
}

function propertiesOf(schema: z.ZodType | undefined): Properties {
  const json = schema === undefined ? {} : jsonSchemaOf(schema);
  const { properties = {}, required = [] } = json as Partial<Properties>;
  return { properties, required };
}

function describeResponses(parts: OperationParts): Json {
  const { operation } = parts;
  const { answer, otherAnswers = {}, contentType = 'application/json' } = operation;
  const status = operation.status ?? (answer === undefined ? 302 : 200);
  return {
    [status]: describeSuccess(parts),
    ...(parts.method === 'GET' && {
      ...(answer !== undefined && { 304: shared('not-modified') }),
      308: shared('other-spelling'),
    }),
    ...Object.fromEntries(
      Object.entries(otherAnswers).map(([other, schema]) => [
        other,
        {
          description: 'The same with another outcome.',
          content: { [contentType]: { schema: schemaOf(schema) } },
        },
      ]),
    ),
    ...describeErrors(parts),
  };
}

function describeSuccess({ method, operation }: OperationParts): Json {
  const { answer, contentType = 'application/json', isPaged = false } = operation;
  if (operation.status === HTTP_SWITCHING_PROTOCOLS) return { description: 'The connection is a WebSocket.' };
  if (answer === undefined) return { description: 'Redirect.', headers: headersOf('Location') };
  const hasTag = method === 'GET' && contentType !== 'text/csv' && !/plain|html|\/xml/.test(contentType);
  return {
    description: 'Success.',
    ...((hasTag || isPaged) && {
      headers: headersOf(...(hasTag ? ['ETag'] : []), ...(isPaged ? ['Link'] : [])),
    }),
    content: { [contentType]: { schema: schemaOf(answer) } },
  };
}

const headersOf = (...names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

function schemaOf(answer: Answer): Json {
  if (typeof answer !== 'string') return answer;
  const $ref = `#/components/schemas/${answer.replace('[]', '')}`;
  return answer.endsWith('[]') ? { type: 'array', items: { $ref } } : { $ref };
}

/** Errors by status. Pages answer unknown paths outside of the API. */
function describeErrors(parts: OperationParts): Json {
  const codes = [...new Set([...commonErrors(parts), ...(parts.operation.errors ?? [])])].toSorted();
  const isApi = /^\/(?:api|log)\//.test(parts.path);
  return {
    ...Object.fromEntries(
      [...Map.groupBy(codes, (code) => errorStatuses[code])].map(([status, ofStatus]) => [
        status,
        errorResponse(status, ofStatus),
      ]),
    ),
    ...(!isApi && {
      404: { description: 'Not found.', content: { 'text/html': { schema: { type: 'string' } } } },
    }),
  };
}

/** Errors that most routes may answer. The document has their responses once. */
const SHARED_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'request.invalid',
  'request.cross_site',
  'request.too_large',
  'request.too_many',
  'server.failed',
  'auth.required',
]);

function sharedResponses(): Json {
  return {
    'not-modified': { description: "Unchanged since the client's copy." },
    'other-spelling': {
      description: 'Redirect to the canonical form of the address.',
      headers: headersOf('Location'),
    },
    ...Object.fromEntries(
      [...SHARED_ERRORS].map((code) => [code, describeError(errorStatuses[code], [code])]),
    ),
  };
}

const shared = (name: string): Json => ({ $ref: `#/components/responses/${name}` });

function errorResponse(status: number, codes: readonly ErrorCode[]): Json {
  const [code, ...others] = codes;
  const isShared = code !== undefined && others.length === 0 && SHARED_ERRORS.has(code);
  return isShared ? shared(code) : describeError(status, codes);
}

function describeError(status: number, codes: readonly ErrorCode[]): Json {
  const limited = { properties: { error: { properties: { code: { enum: codes } } } } };
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    ...(status === errorStatuses['request.too_many'] && { headers: headersOf('Retry-After') }),
    content: {
      'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/ErrorBody' }, limited] } },
    },
  };
}

function commonErrors({ method, path, operation, schemas }: OperationParts): ErrorCode[] {
  const isWrite = method !== 'GET';
  const isChecked = Object.keys(schemas).length > 0;
  return [
    'request.too_many',
    'server.failed',
    ...(isWrite ? (['request.cross_site', 'request.too_large'] as const) : []),
    ...(isChecked ? (['request.invalid'] as const) : []),
    ...(operation.session === 'required' ? (['auth.required'] as const) : []),
    ...(path.includes('{') ? (['request.not_found'] as const) : []),
  ];
}

function sortKeys(object: Json): Json {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

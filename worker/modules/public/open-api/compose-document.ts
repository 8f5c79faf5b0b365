import { z } from 'zod';
import { PRODUCT_NAME, RATE_LIMITS } from '#schema/constants/app.ts';
import { errorStatuses, type ErrorCode } from '#schema/contracts/errors.ts';
import type { DescribedRoute } from '../../../app/route.ts';
import { TAGS, type ApiFacts, type ResponseType, type RouteMetadata } from '../../../app/route-facts.ts';
import { PARAMETERS } from './parameters.ts';

type Json = Readonly<Record<string, unknown>>;

export interface DocumentParts {
  readonly routes: readonly DescribedRoute[];
  /** JSON schemas of the types in schema/contracts, by name. */
  readonly responseSchemas: Json;
}

const HTTP_SWITCHING_PROTOCOLS = 101;

const DESCRIPTION = `Everything that the app itself uses.

- Amounts are decimal strings in SOL, prices decimal strings in USD, times ISO 8601.
- Every error is an \`ErrorBody\`. A browser that opens an address itself gets errors as a page instead.
- Requests that change something need JSON, and must not come from a browser on another site.
- Programs send an API key as \`Authorization: Bearer sc_…\`, without cookies. Operations that don't list \`apiKey\` refuse keys with 403 \`api_keys.not_allowed\`.
- Limits: \`RateLimit-Policy\` has the route's limit (\`q\` requests in \`w\` seconds). Too many requests get 429 with \`Retry-After\` and \`RateLimit\`.
- Scripts of other sites may read every public GET (CORS), without cookies and keys.
- Routes of a caller take their id or their handle.
- Lists with a \`Link: rel="next"\` header have more pages.
- Responses without a public \`Cache-Control\` must not be shared between people.`;

/** Composes the OpenAPI document (version 3.1) of these routes, except the pages among them. */
export function composeDocument({ routes, responseSchemas }: DocumentParts): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const { route, facts, schemas } of routes) {
    if (!isDescribed(facts)) continue;
    const [method = '', pattern = ''] = route.split(' ');
    const path = pathOf(pattern);
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: describeOperation({ method, path, facts, schemas }),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${PRODUCT_NAME} API`,
      version: '1.0.0',
      description: DESCRIPTION,
      contact: { name: 'The operator, whose address is in the terms (/terms)' },
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
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key from the dashboard. It sees what its owner may see.',
        },
      },
      headers: HEADERS,
      responses: sharedResponses(),
      schemas: sortKeys(responseSchemas),
    },
  };
}

const isDescribed = (facts: RouteMetadata): facts is ApiFacts => 'summary' in facts;

const HEADERS: Json = {
  ETag: {
    description: 'Send it as `If-None-Match` to get 304 if the response is still the same.',
    schema: { type: 'string' },
  },
  Link: {
    description: 'The next page, with `rel="next"`. Absent on the last page.',
    schema: { type: 'string' },
  },
  Location: { description: 'Where to go on.', schema: { type: 'string' } },
  'Retry-After': { description: 'In seconds.', schema: { type: 'string', pattern: '^\\d+$' } },
};

/** Converts a route's path to OpenAPI's syntax: `/call/:id` becomes `/call/{id}`. */
function pathOf(pattern: string): string {
  return pattern
    .replace(/^\/:part\{sitemap-.*\}$/, '/sitemap-{part}.xml')
    .replace('{.+}', '')
    .replace(/:(\w+)/g, '{$1}');
}

interface OperationParts {
  readonly method: string;
  readonly path: string;
  readonly facts: ApiFacts;
  readonly schemas: DescribedRoute['schemas'];
}

function describeOperation(parts: OperationParts): Json {
  const { method, path, facts, schemas } = parts;
  const body = schemas['json'];
  const parameters = describeParameters(parts);
  return {
    tags: [facts.tag],
    summary: facts.summary,
    operationId: idOf(method, path),
    ...describeAccess(facts),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: jsonSchemaOf(body) } } },
    }),
    responses: describeResponses(parts),
  };
}

const SCHEMES = { session: 'a session', apiKey: 'an API key' } as const;

/** Says who may use an operation, and how often. */
function describeAccess({ session, apiKey, limit }: ApiFacts): Json {
  const schemes = [
    ...(session === undefined ? [] : (['session'] as const)),
    ...(apiKey === undefined ? [] : (['apiKey'] as const)),
  ];
  const isOptional = session !== 'required' && session !== 'operator';
  const accepted = schemes.map((scheme) => SCHEMES[scheme]).join(' or ');
  const access = accepted === '' ? 'Needs no session' : `${isOptional ? 'Accepts' : 'Needs'} ${accepted}`;
  return {
    description: `${access}. At most ${RATE_LIMITS[limit === 'unknown' ? 'reads' : limit]} requests a minute.`,
    security: [
      ...(isOptional && schemes.length > 0 ? [{}] : []),
      ...schemes.map((scheme) => ({ [scheme]: [] })),
    ],
  };
}

/** Returns an operation id, such as `getCallersByUsernameOrIdStatistics`. */
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

function describeParameters({ path, facts, schemas }: OperationParts): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const ofPath = propertiesOf(schemas['param']);
  const ofQuery = propertiesOf(schemas['query']);
  const describe = (name: string, schema: Json = { type: 'string' }) => ({
    name,
    description: facts.query?.[name] ?? PARAMETERS[name],
    schema,
  });
  return [
    ...inPath.map((name) => ({
      in: 'path',
      required: true,
      ...describe(name, ofPath.properties[name]),
    })),
    ...Object.keys({ ...ofQuery.properties, ...facts.query }).map((name) => ({
      in: 'query',
      required: ofQuery.required.includes(name),
      ...describe(name, ofQuery.properties[name]),
    })),
  ];
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
  const { facts } = parts;
  const { otherResponses = {}, contentType = 'application/json' } = facts;
  const isRedirect = responseOf(facts) === undefined;
  const status = facts.status ?? (isRedirect ? 302 : 200);
  return {
    [status]: describeSuccess(parts),
    ...(parts.method === 'GET' && {
      ...(!isRedirect && { 304: shared('not-modified') }),
      308: shared('other-spelling'),
    }),
    ...Object.fromEntries(
      Object.entries(otherResponses).map(([other, schema]) => [
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

function describeSuccess({ method, facts }: OperationParts): Json {
  const { contentType = 'application/json', isPaged = false } = facts;
  const response = responseOf(facts);
  if (facts.status === HTTP_SWITCHING_PROTOCOLS) return { description: 'The connection is a WebSocket.' };
  if (response === undefined) return { description: 'Redirect.', headers: headersOf('Location') };
  const hasTag = method === 'GET' && contentType !== 'text/csv' && !/plain|html|\/xml/.test(contentType);
  return {
    description: 'Success.',
    ...((hasTag || isPaged) && {
      headers: headersOf(...(hasTag ? ['ETag'] : []), ...(isPaged ? ['Link'] : [])),
    }),
    content: { [contentType]: { schema: schemaOf(response) } },
  };
}

const headersOf = (...names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Returns the type of a route's response; undefined for a redirect and a WebSocket. */
function responseOf({ response, contentType }: ApiFacts): ResponseType | undefined {
  if (contentType === undefined) return response;
  return /^text\/|xml$/.test(contentType) ? { type: 'string' } : { type: 'string', format: 'binary' };
}

function schemaOf(response: ResponseType): Json {
  if (typeof response !== 'string') return response;
  const $ref = `#/components/schemas/${response.replace('[]', '')}`;
  return response.endsWith('[]') ? { type: 'array', items: { $ref } } : { $ref };
}

/** Describes errors by status. Outside of the API, unknown paths return a page. */
function describeErrors(parts: OperationParts): Json {
  const codes = [...new Set([...commonErrors(parts), ...(parts.facts.errors ?? [])])].toSorted();
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

/** Errors that most routes may return. The document has their responses only once. */
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

function commonErrors({ method, path, facts, schemas }: OperationParts): ErrorCode[] {
  const isWrite = method !== 'GET';
  const isChecked = Object.keys(schemas).length > 0;
  return [
    'request.too_many',
    'server.failed',
    ...(isWrite ? (['request.cross_site', 'request.too_large'] as const) : []),
    ...(isChecked ? (['request.invalid'] as const) : []),
    ...(facts.session === 'required' ? (['auth.required'] as const) : []),
    ...(facts.apiKey === undefined ? [] : (['api_keys.invalid', 'api_keys.with_cookie'] as const)),
    ...(facts.apiKey === 'call' ? (['api_keys.read_only'] as const) : []),
    ...(path.includes('{') || facts.session === 'operator' ? (['request.not_found'] as const) : []),
  ];
}

function sortKeys(object: Json): Json {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

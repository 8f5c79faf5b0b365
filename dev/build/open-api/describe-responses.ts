import { errorStatuses, isRetryable, type ErrorCode } from '#schema/contracts/errors.ts';
import type { ApiFacts, ResponseType } from '#worker/app/route-facts.ts';
import type { DescribedRoute } from '#worker/app/route.ts';
import type { Response, Schema } from './open-api-document.ts';

const JSON_TYPE = 'application/json';
const HTTP_SWITCHING_PROTOCOLS = 101;
const HTTP_FOUND = 302;

type Responses = Readonly<Record<string, Response>>;

/** An API route, and its method and path as in the document. */
export interface DescribedOperation {
  readonly method: string;
  readonly path: string;
  readonly facts: ApiFacts;
  readonly schemas: DescribedRoute['schemas'];
}

/** Errors that most routes may return. The document has each of their responses once. */
const SHARED_ERRORS: readonly ErrorCode[] = [
  'request.invalid',
  'request.cross_site',
  'request.too_large',
  'request.too_many',
  'server.failed',
  'auth.required',
];

/** Responses that the document has only once. */
export const sharedResponses = (): Responses => ({
  'not-modified': { description: "Unchanged since the client's copy." },
  'other-spelling': {
    description: 'Redirect to the canonical form of the address.',
    headers: headersOf('Location'),
  },
  ...Object.fromEntries(SHARED_ERRORS.map((code) => [code, describeError([code])])),
});

export const describeResponses = (operation: DescribedOperation): Responses => ({
  ...describeSuccess(operation),
  ...describeErrors(operation),
});

/** Describes the responses that aren't errors. */
function describeSuccess({ method, facts }: DescribedOperation): Responses {
  const { contentType = JSON_TYPE, status = 200, isPaged = false, otherResponses = {} } = facts;
  const isRead = method === 'GET';
  const redirects = isRead ? { 308: shared('other-spelling') } : {};
  const schema = bodyOf(facts);
  if (schema === undefined) return { [facts.status ?? HTTP_FOUND]: describeWithoutBody(facts), ...redirects };
  const isTagged = isRead && !/csv|plain|html|\/xml/.test(contentType);
  const headers = [...(isTagged ? ['ETag'] : []), ...(isPaged ? ['Link'] : [])];
  return {
    [status]: {
      description: 'Success.',
      ...(headers.length > 0 && { headers: headersOf(...headers) }),
      content: contentOf(contentType, schema),
    },
    ...(isRead && { 304: shared('not-modified') }),
    ...redirects,
    ...Object.fromEntries(
      Object.entries(otherResponses).map(([other, type]) => [
        other,
        {
          description: 'The same with another outcome.',
          content: contentOf(contentType, schemaOf(type)),
        },
      ]),
    ),
  };
}

const describeWithoutBody = ({ status }: ApiFacts): Response =>
  status === HTTP_SWITCHING_PROTOCOLS
    ? { description: 'The connection is a WebSocket.' }
    : { description: 'Redirect.', headers: headersOf('Location') };

/** Returns the schema of a route's response; undefined for a redirect and a WebSocket. */
function bodyOf({ response, contentType }: ApiFacts): Schema | undefined {
  if (contentType === undefined) return response === undefined ? undefined : schemaOf(response);
  return { type: 'string', ...(!/^text\/|xml$/.test(contentType) && { format: 'binary' }) };
}

function schemaOf(response: ResponseType): Schema {
  if (typeof response !== 'string') return response;
  const $ref = `#/components/schemas/${response.replace('[]', '')}`;
  return response.endsWith('[]') ? { type: 'array', items: { $ref } } : { $ref };
}

/** Describes errors by status. Outside of the API, unknown paths return a page. */
function describeErrors(operation: DescribedOperation): Responses {
  const codes = new Set([...commonErrors(operation), ...(operation.facts.errors ?? [])]);
  const byStatus = Map.groupBy([...codes].toSorted(), (code) => errorStatuses[code]);
  const errors = [...byStatus].map(([status, ofStatus]) => [status, errorResponse(ofStatus)] as const);
  const isApi = /^\/(?:api|log)\//.test(operation.path);
  const page = { description: 'Not found.', content: contentOf('text/html', { type: 'string' }) };
  return { ...Object.fromEntries(errors), ...(!isApi && { 404: page }) };
}

function commonErrors({ method, path, facts, schemas }: DescribedOperation): ErrorCode[] {
  const { session, apiKey } = facts;
  const rules: readonly [boolean, ...ErrorCode[]][] = [
    [true, 'request.too_many', 'server.failed'],
    [method !== 'GET', 'request.cross_site', 'request.too_large'],
    [Object.keys(schemas).length > 0, 'request.invalid'],
    [session === 'required', 'auth.required'],
    [apiKey !== undefined, 'api_keys.invalid', 'api_keys.with_cookie'],
    [apiKey === 'call', 'api_keys.read_only'],
    [path.includes('{') || session === 'operator', 'request.not_found'],
  ];
  return rules.flatMap(([applies, ...codes]) => (applies ? codes : []));
}

function errorResponse(codes: readonly ErrorCode[]): Response {
  const [only] = codes.length === 1 ? codes : [];
  return only !== undefined && SHARED_ERRORS.includes(only) ? shared(only) : describeError(codes);
}

function describeError(codes: readonly ErrorCode[]): Response {
  const limited = { properties: { error: { properties: { code: { enum: codes } } } } };
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    ...(codes.some(isRetryable) && { headers: headersOf('Retry-After') }),
    content: contentOf(JSON_TYPE, { allOf: [{ $ref: '#/components/schemas/ErrorBody' }, limited] }),
  };
}

/** Schemas by media type. */
export const contentOf = (type: string, schema: Schema) => ({ [type]: { schema } });

const headersOf = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const shared = (name: string): Response => ({ $ref: `#/components/responses/${name}` });

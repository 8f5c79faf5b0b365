import { Validator, type Schema } from '@cfworker/json-schema';
import { json } from 'virtual:api-docs';
import { inject } from 'vitest';

interface Described {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly security: readonly object[];
  readonly requestBody?: Described;
  readonly responses: Readonly<Record<string, Described>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Described>> };
}

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly response: Response;
  /** Checks the response even if enough others were checked. */
  readonly isAlwaysChecked?: boolean;
}

/** Limits the checks, because checking all responses of all tests would take too long. */
const MAX_CHECKS_PER_STATUS = inject('isDeep') ? 25 : 3;
const NO_BODY: ReadonlySet<number> = new Set([101, 302, 304, 308]);

const { paths, components } = JSON.parse(json) as OpenApi;
const patterns = Object.entries(paths)
  .map(([path, methods]) => ({
    path,
    methods,
    pattern: new RegExp(
      `^${path
        .replaceAll('.', '\\.')
        .replace('{path}', '.+')
        .replace(/\{\w+\}/g, '[^/]+')}$`,
    ),
  }))
  .toSorted((one, other) => parametersOf(one.path) - parametersOf(other.path));
const validators = new WeakMap<object, Validator>();
const checks = new Map<string, number>();

/** The operations that the tests of this process have requested. */
export const requestedOperations = new Set<string>();

function parametersOf(path: string): number {
  return path.split('{').length;
}

/** All operations of the OpenAPI document, such as `GET /api/callers/{usernameOrId}`. */
export const OPERATIONS = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

/**
 * Compares a response of the app with the OpenAPI document: its status, content type and body, and the body of a
 * request that succeeded. Returns the operation, or null if the document doesn't describe the path.
 * @throws Error that names the difference
 */
export async function checkOperation(exchange: Exchange): Promise<string | null> {
  const { method, path, headers, body, response, isAlwaysChecked = false } = exchange;
  const pathname = new URL(path, 'https://self.invalid').pathname;
  const found = patterns.find(({ pattern }) => pattern.test(pathname));
  const operation = found?.methods[method.toLowerCase()];
  if (!found || !operation) return null;
  const name = `${method} ${found.path}`;
  requestedOperations.add(name);
  const key = `${name} ${response.status}`;
  const count = checks.get(key) ?? 0;
  checks.set(key, count + 1);
  const isErrorPage = headers['Sec-Fetch-Mode'] === 'navigate' && response.status >= 400;
  const isKeyRefusal =
    new Headers(headers).has('Authorization') && isRefusedToKeys(operation, response.status);
  const isEnough = count >= MAX_CHECKS_PER_STATUS && !isAlwaysChecked;
  if (isEnough || isErrorPage || isKeyRefusal) return name;
  await checkResponse(key, resolve(operation.responses[response.status]), response);
  const bodySchema = operation.requestBody?.content?.['application/json']?.schema;
  if (response.ok && bodySchema !== undefined && typeof body === 'object') {
    expectValid(`The body of ${key}`, bodySchema, body);
  }
  return name;
}

/** The document describes only once how operations refuse API keys that they don't accept. */
const isRefusedToKeys = ({ security }: Operation, status: number) =>
  !security.some((each) => 'apiKey' in each) && [400, 401, 403].includes(status);

function resolve(described: Described | undefined): Described | undefined {
  const name = described?.$ref?.split('/').at(-1);
  return name === undefined ? described : components.responses[name];
}

async function checkResponse(
  key: string,
  described: Described | undefined,
  response: Response,
): Promise<void> {
  if (!described) throw new Error(`${key}: the OpenAPI document doesn't have this status.`);
  if (NO_BODY.has(response.status)) return;
  const type = response.headers.get('Content-Type')?.split(';', 1)[0] ?? '';
  const media =
    described.content?.[type] ?? (type.startsWith('image/') ? described.content?.['image/*'] : undefined);
  if (!media) throw new Error(`${key}: the OpenAPI document doesn't have the content type ${type}.`);
  const isDownload = response.headers.has('Content-Disposition');
  if (type !== 'application/json' || isDownload) return;
  const text = await response.clone().text();
  expectValid(key, media.schema, text === '' ? null : JSON.parse(text));
}

function expectValid(name: string, schema: Schema, value: unknown): void {
  const validator = validators.get(schema) ?? new Validator({ ...schema, components }, '2020-12');
  validators.set(schema, validator);
  // Removes undefined fields, because JSON omits them.
  const { valid, errors } = validator.validate(JSON.parse(JSON.stringify(value)));
  if (valid) return;
  const problems = errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`);
  throw new Error(`${name} differs from the OpenAPI document: ${problems.slice(0, 6).join('; ')}`);
}

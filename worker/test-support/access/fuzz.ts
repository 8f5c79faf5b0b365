import { z } from 'zod';
import { MAX_BODY_BYTES } from '#schema/constants/app.ts';
import type { Random } from '../seeded-random.ts';
import { schemasOf } from './routes.ts';

export interface FuzzedRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | ReadableStream;
}

/** Existing values, such as ids, so that requests also pass the first checks. */
export interface Known {
  readonly texts: readonly string[];
}

/** The part of JSON Schema that zod writes for our schemas. */
interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[];
}

const HOSTILE_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e400',
  '0.0000000001',
  '99999999999999999999999999',
  'NaN',
  'null',
  'true',
  '[object Object]',
  'function Object() { [native code] }',
  "' OR '1'='1",
  '’; DROP TABLE users; --',
  '%',
  '%00',
  '%E0%A4%A',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202Egnp.exe',
  '\u{1FA81}'.repeat(64),
  'e\u0301'.repeat(300),
  'x'.repeat(5_000),
  'z'.repeat(44),
  '1'.repeat(32),
  '1'.repeat(64),
  '../../etc/passwd',
  '..%5c..',
  'https://evil.example/',
  '//evil.example',
  'javascript:alert(1)',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '\r\nX-Injected: yes',
  'AAAA',
  'data:image/png;base64,AAAA',
] as const;

const DEPTH = 10_000;
const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0.1,
  1e308,
  Number.MAX_SAFE_INTEGER + 1,
  [],
  {},
  [[]],
  { $ne: '' },
  { length: 1e9 },
  Array.from({ length: 500 }, () => 'x'),
];
/** Bodies that JSON.stringify wouldn't write. */
const HOSTILE_BODIES = [
  '',
  '{',
  '{"a":',
  'null',
  '7',
  '"text"',
  '[]',
  '1e999',
  '\uFEFF{}',
  '{"__proto__":{"callerId":"x"}}',
  '{"constructor":{"prototype":{"isOperator":true}}}',
  `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`,
  '{"a":'.repeat(DEPTH),
  '\u0000',
] as const;
const CONTENT_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/json; charset=utf-16',
  'application/xml',
  '',
] as const;

/** Makes requests for one route from its own schemas: nearly valid ones, and hostile ones. */
export function createFuzzer({ route, known, random }: { route: string; known: Known; random: Random }) {
  const [method = '', pattern = ''] = route.split(' ');
  const schemas = schemasOf(route);
  const shapeOf = (schema: z.ZodType | undefined): Shape | undefined =>
    schema && (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape);
  const query = shapeOf(schemas['query']);
  const body = shapeOf(schemas['json']);
  const text = () => (random.share() < 0.6 ? random.pick(known.texts) : random.pick(HOSTILE_TEXTS));

  const valueOf = (shape: Shape): unknown => {
    if (random.share() < 0.12) return random.pick(HOSTILE_VALUES);
    if (shape.const !== undefined) return shape.const;
    if (shape.enum) return random.pick(shape.enum);
    if (shape.anyOf) return valueOf(random.pick(shape.anyOf));
    if (shape.type === 'boolean') return random.share() < 0.5;
    if (shape.type === 'integer' || shape.type === 'number') return random.between(-3, 100);
    if (shape.type === 'null') return null;
    if (shape.type === 'object' || shape.properties) return objectOf(shape);
    return text();
  };

  const objectOf = ({ properties = {}, required = [] }: Shape): Record<string, unknown> => {
    const saved = Object.entries(properties).filter(([name]) =>
      required.includes(name) ? random.share() < 0.95 : random.share() < 0.5,
    );
    return Object.fromEntries([
      ...saved.map(([name, shape]) => [name, valueOf(shape)]),
      ...(random.share() < 0.1 ? [[text(), random.pick(HOSTILE_VALUES)]] : []),
    ]) as Record<string, unknown>;
  };

  const textBody = (): string => {
    const kind = random.share();
    if (kind < 0.15) return random.pick(HOSTILE_BODIES);
    const written = JSON.stringify(body ? objectOf(body) : { [text()]: text() });
    return kind < 0.2 ? written.replace('}', `,"deep":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`) : written;
  };

  const pathOf = (): string => {
    const filled = pattern
      .replace(
        /:part\{.*\}/,
        () => `sitemap-${random.pick(['pages', 'calls-2026-01-01', 'x', 'callers'])}.xml`,
      )
      .replaceAll(/:\w+/g, () => encode(text()));
    const unasked = random.share() < 0.2 ? { [text()]: text() } : {};
    const values = query ? objectOf(query) : unasked;
    const pairs = Object.entries(values).map(([name, value]) => `${encode(name)}=${encode(String(value))}`);
    return `${filled}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
  };

  return (): FuzzedRequest => {
    const path = pathOf();
    const hasBody = method !== 'GET' && (method !== 'DELETE' || random.share() < 0.2);
    if (!hasBody) return { path, method, headers: {} };
    const headers = {
      'Content-Type': random.share() < 0.9 ? 'application/json' : random.pick(CONTENT_TYPES),
    };
    return { path, method, headers, body: random.share() < 0.03 ? endlessBody() : textBody() };
  };
}

/** Encodes characters that a URL can't contain. Leaves an encoded text unchanged. */
function encode(text: string): string {
  return text.startsWith('%') ? text : encodeURIComponent(text.toWellFormed()).replace(/^\.+$/, '%2e');
}

/** A chunked body without a declared length. It is larger than ordinary routes accept. */
export function endlessBody(bytes = MAX_BODY_BYTES * 2): ReadableStream {
  const chunk = new TextEncoder().encode(' '.repeat(16 * 1024));
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close();
      controller.enqueue(chunk);
      left -= chunk.length;
    },
  });
}

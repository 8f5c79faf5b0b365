import type { Build } from './build.ts';

export interface SmokeTarget {
  readonly origin: string;
  /** The worker's name and the version that must respond; null tests any version. */
  readonly version: { readonly worker: string; readonly id: string } | null;
  readonly build: Build;
  readonly fetch: typeof globalThis.fetch;
}

const SECURITY_HEADERS = [
  'content-security-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'permissions-policy',
];

const TIMEOUT_MS = 15_000;

interface Value {
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Requests a few URLs from a version. Returns the problems; none if the version works. */
export async function smokeTest(target: SmokeTarget): Promise<readonly string[]> {
  const get = (path: string) => request(target, path);
  const [firstFile = '/'] = target.build.firstFiles;
  const [health, page, script, list, own, absent] = await Promise.all([
    get('/api/health'),
    get('/'),
    get(firstFile),
    get('/api/callers?limit=1'),
    get('/api/subscriptions/my'),
    get('/api/does-not-exist'),
  ]);
  const responding = target.version ?? { id: '' };
  const checks: readonly (readonly [boolean, Value, string])[] = [
    [health.status === 200, health, 'must respond with 200'],
    [health.text.includes(`"version":"${responding.id}`), health, `must come from version ${responding.id}`],
    [page.status === 200, page, 'must respond with 200'],
    [
      target.build.firstFiles.every((file) => page.text.includes(file)),
      page,
      'must load the files of this build',
    ],
    [script.status === 200, script, 'must respond with 200'],
    [
      list.status === 200 && isJsonArray(list.text),
      list,
      'must respond with a list: the database may be missing',
    ],
    [own.status === 401, own, 'must respond with 401 without a session'],
    [own.headers.get('cache-control') === 'private, no-store', own, 'must not be cached'],
    [
      absent.status === 404 && absent.text.includes('request.not_found'),
      absent,
      'must respond with 404 as our errors do',
    ],
    ...[health, page, list, own, absent].flatMap((response) =>
      SECURITY_HEADERS.map(
        (name) => [response.headers.has(name), response, `must have the header ${name}`] as const,
      ),
    ),
  ];
  return checks
    .filter(([isGood]) => !isGood)
    .map(
      ([, { path, status }, problem]) =>
        `${path} ${problem} (it responded with ${status === 0 ? 'nothing' : status})`,
    );
}

/** Cloudflare routes a request with this header to the named version, even if the version gets no other requests. */
const overrideOf = (version: SmokeTarget['version']) => ({
  'Cloudflare-Workers-Version-Overrides': version === null ? '' : `${version.worker}="${version.id}"`,
});

async function request({ origin, version, fetch }: SmokeTarget, path: string): Promise<Value> {
  try {
    const response = await fetch(`${origin}${path}`, {
      headers: overrideOf(version),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { path, status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    return { path, status: 0, headers: new Headers(), text: '' };
  }
}

function isJsonArray(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';

const MAX_BINARY_BYTES = 300_000;
const FOLDERS_OF_BINARIES = [
  'worker/modules/public/shares/fonts/',
  'worker/modules/public/shares/reference/',
];

/** Git treats a file with a NUL byte in its first 8,000 bytes as binary. */
function isBinary(path: string): boolean {
  const start = Buffer.alloc(8_000);
  const file = openSync(path, 'r');
  const length = readSync(file, start);
  closeSync(file);
  return start.subarray(0, length).includes(0);
}

it('the repository has no binary over 300 kB except fonts and reference images', () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean);
  const isLarge = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BINARY_BYTES;
  const unexpected = tracked.filter(
    (path) =>
      isLarge(path) && isBinary(path) && !FOLDERS_OF_BINARIES.some((folder) => path.startsWith(folder)),
  );
  expect(unexpected).toEqual([]);
});

/** These show the viewer a time in their own language and time zone. */
const MAY_DEPEND_ON_THE_MACHINE = new Set([
  'web/ui/figures/relative-time.tsx: toLocaleString()',
  'web/features/subscribe/steps/paying-step.tsx: toLocaleTimeString()',
  'web/features/subscribe/steps/complete-step.tsx: toLocaleString([],',
]);

it('texts and figures don’t depend on the machine’s language and time zone', () => {
  const folders = ['web', 'worker', 'schema', 'verify', 'deploy', 'dev'];
  const sources = execFileSync('git', ['ls-files', '-z', ...folders], { encoding: 'utf8' })
    .split('\0')
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path));
  // In Turkish, toLocaleLowerCase makes "ı" of "I".
  const without =
    /\b(?:toLocale(?:Date|Time)?String\((?:\)|\[\],)|toLocale(?:Upper|Lower)Case\()|Intl\.\w+\(\)/g;
  const found = sources.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(without)].map(([text]) => `${path}: ${text}`),
  );
  expect(new Set(found)).toEqual(MAY_DEPEND_ON_THE_MACHINE);
});

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const locked = Object.entries(packages).filter(([path]) => path !== '');

it('the lock file has each package from the npm registry with a SHA-512 hash', () => {
  // A bundled package isn't downloaded, because another package contains it.
  const downloaded = locked.filter(([, { inBundle }]) => inBundle !== true);
  // A package without `resolved` comes from the registry.
  const unsafe = downloaded.filter(
    ([, { resolved, integrity }]) => resolved !== undefined || integrity?.startsWith('sha512-') !== true,
  );
  expect(unsafe.map(([path]) => path)).toEqual([]);
});

it('only known packages have install scripts, and dev/bootstrap.mjs runs only the install script of node', () => {
  const names = locked
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect([...new Set(names)].toSorted()).toEqual([
    'bufferutil',
    'esbuild',
    'node',
    'utf-8-validate',
    'workerd',
  ]);
  const bootstrap = readFileSync('dev/bootstrap.mjs', 'utf8');
  expect(bootstrap).toContain("const MAY_RUN_SCRIPTS = ['node'];");
  expect(bootstrap).toContain("npm('ci', '--ignore-scripts'");
});

import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorKeypair } from '../local/product-vars.ts';
import { root } from '../settings.ts';
import { localLogKey } from '../witness/local-witness.ts';

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean);
const files = new Set(tracked);
const folders = new Set(tracked.flatMap(parentsOf));
const pages = globSync(['*.md', 'docs/**/*.md', 'dev/stand-ins/{chain,controls}/*.md', '.github/*.md'], {
  cwd: root,
});
const workflows = globSync('.github/workflows/*.yml', { cwd: root });
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function parentsOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

function matchesOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, match]) => match ?? []);
}

function exists(path: string): boolean {
  const plain = normalize(path).replace(/\/$/, '');
  if (!/[*{]/.test(plain)) return files.has(plain) || folders.has(plain);
  return globSync(plain, { cwd: root, exclude: ['node_modules', 'dist', '.cache'] }).length > 0;
}

/** Matches a path such as `worker/modules/market/calls/`, or a bare file name such as `calls.service.ts`. */
const PATH = /^(?:\.?[\w{},*$@-]+\/)*[\w.{},*$@-]*$/;
const TOP_FOLDER = /^(?:schema|worker|web|dev|e2e|bench|docs|verify|\.github|\.devcontainer)\//;
const SOURCE_FILE = /\.(?:tsx?|mjs|md|toml|css|sh)$/;

function isMissing(page: string, name: string): boolean {
  if (!PATH.test(name)) return false;
  if (TOP_FOLDER.test(name)) return !exists(name);
  if (!SOURCE_FILE.test(name)) return false;
  return ![name, join(dirname(page), name), `**/${name}`].some(exists);
}

describe.each(pages)('%s', (page) => {
  const text = read(page);

  it(`${page} links only to files that exist`, () => {
    const targets = matchesOf(text, /\]\(([^)\s#]+)[^)]*\)|(?:src|href)="([^"#]+)"/g).filter(
      (target) => !/^[a-z]+:/.test(target),
    );
    expect(targets.filter((target) => !exists(join(dirname(page), target)))).toEqual([]);
  });

  it(`${page} names only files that exist`, () => {
    expect(matchesOf(text, /`([^`\n]+)`/g).filter((name) => isMissing(page, name))).toEqual([]);
  });
});

it.each([...pages, ...workflows])('%s names only npm scripts that exist', (page) => {
  const named = matchesOf(read(page), /npm run ([\w:-]+)/g);
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

it('the code and its configuration refer only to pages of docs/ that exist', () => {
  const sources = tracked.filter((file) => /\.(?:tsx?|mjs|css|sql|toml|yml)$/.test(file));
  const named = sources.flatMap((file) =>
    matchesOf(read(file), /(?<!'\/|\/api\/)\b(docs\/[\w/.-]*\w)/g).map((page) => ({ file, page })),
  );
  const isKnown = (page: string) =>
    exists(page) ||
    exists(`${page}.md`) ||
    tracked.some((file) => file.startsWith(`${page}-`) && /\/\d{3}$/.test(page));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ page }) => !isKnown(page))).toEqual([]);
});
it('the README has the key and the anchor wallet of the local log', () => {
  const readme = read('README.md');
  expect(readme).toContain(`\`${localLogKey}\``);
  expect(readme).toContain(`\`${anchorKeypair.publicKey.toBase58()}\``);
});

describe('docs/decisions/README.md', () => {
  const decisions = globSync('docs/decisions/[0-9]*.md', { cwd: root }).map(
    (path) => path.split('/')[2] ?? '',
  );

  it('docs/decisions/README.md lists every decision with its title', () => {
    const index = read('docs/decisions/README.md');
    const missing = decisions.filter((name) => {
      const [, number, title] = /^# (\d{3}): (.+)$/m.exec(read(`docs/decisions/${name}`)) ?? [];
      return number !== name.slice(0, 3) || !index.includes(`| [${number}](${name}) | ${title} |`);
    });
    expect(missing).toEqual([]);
  });

  it('no two decisions in docs/decisions/ have the same number', () => {
    const numbers = decisions.map((name) => name.slice(0, 3));
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

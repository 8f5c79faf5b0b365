import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../settings.ts';

/** A test below a comment such as `// Specification 2.31, 2.40-2.43`. */
export interface SpecificationTest {
  readonly title: string;
  readonly ids: readonly string[];
}

const TEST_FILES = '{schema,worker,web,dev,deploy,e2e}/**/*.{test,spec}.{ts,tsx}';
/** Matches the comment with the title of the test below it, unless that test is skipped. */
const ANNOTATED =
  /^[ \t]*\/\/ Specification (?<lines>\d+\.\d+[\d., -]*)\n\s*(?:it|test)\b(?!\.(?:skip|todo|fixme|fails)\b)(?:\(|\.each[\s\S]*?\)\()\s*(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>)[^\\\n])+)\k<quote>,/gm;

/** Expands '2.31, 2.40-2.42' to single numbers. */
export function expandRanges(lines: string): string[] {
  return lines.split(/,\s*/).flatMap((range) => {
    const [first = '', last = first] = range.split('-');
    const [section, from] = first.split('.').map(Number);
    const count = Number(last.split('.')[1]) - Number(from) + 1;
    return Array.from({ length: count }, (_, index) => `${section}.${Number(from) + index}`);
  });
}

/** Finds the annotated tests in one source file. */
export function findTests(source: string): SpecificationTest[] {
  return [...source.matchAll(ANNOTATED)].map(({ groups: { lines = '', title = '' } = {} }) => ({
    title: title.replaceAll(/\\(['"`])/g, '$1'),
    ids: expandRanges(lines),
  }));
}

export const listTests = (): SpecificationTest[] => listSources().flatMap(findTests);

export function listSources(): string[] {
  return globSync(TEST_FILES, { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
}

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../settings.ts';

export interface SpecificationLine {
  /** Section and number, such as '2.31'. */
  readonly id: string;
  readonly text: string;
  /** The decision pages (by number) or introduction paragraphs (by name) that changed this line. */
  readonly changedBy?: readonly string[];
}

export interface SpecificationSection {
  readonly heading: string;
  readonly lines: readonly SpecificationLine[];
}

export interface TaggedTest {
  readonly part: string;
  /** The tag as written, such as '[2.31, 2.40-2.43]'. */
  readonly tag: string;
  /** The title without its tag. The title of an `it.each` keeps its placeholders. */
  readonly title: string;
  readonly ids: readonly string[];
}

const folder = join(root, 'dev/specification');
const TEST_FILES = '{schema,worker,web,dev,e2e}/**/*.{test,spec}.{ts,tsx}';
/** Matches a test title that starts with a tag, up to its closing quote. Doesn't match skipped tests. */
const TAGGED_TITLE =
  /(?<!\.(?:skip|todo|fixme|fails))\(\s*(['"`])\[(?<tag>\d+\.\d+[\d., -]*)\] (?<title>.*?)(?<!\\)\1/g;

export function readSections(): SpecificationSection[] {
  return JSON.parse(readFileSync(join(folder, 'lines.json'), 'utf8')) as SpecificationSection[];
}

/** Expands '2.31, 2.40-2.42' to single numbers. */
export function expandTag(tag: string): string[] {
  return tag.split(/,\s*/).flatMap((range) => {
    const [first = '', last = first] = range.split('-');
    const [section, from] = first.split('.').map(Number);
    const to = Number(last.split('.')[1]);
    const count = to - Number(from) + 1;
    return Array.from({ length: count }, (_, index) => `${section}.${Number(from) + index}`);
  });
}

/** Finds the tagged titles in one source file. */
export function findTaggedTests(source: string, part: string): TaggedTest[] {
  return [...source.matchAll(TAGGED_TITLE)].map(({ groups: { tag = '', title = '' } = {} }) => ({
    part,
    tag: `[${tag}]`,
    title: title.replaceAll(/\\(['"`])/g, '$1'),
    ids: expandTag(tag),
  }));
}

/** Returns the tags that include a specification line. `null` if `text` isn't the number of a line. */
export function findTags(text: string): string[] | null {
  if (!/^\d+\.\d+$/.test(text)) return null;
  return listTaggedTests().flatMap(({ ids, tag }) => (ids.includes(text) ? [tag] : []));
}

export function listTaggedTests(): TaggedTest[] {
  return globSync(TEST_FILES, { cwd: root }).flatMap((file) =>
    findTaggedTests(readFileSync(join(root, file), 'utf8'), partOf(file)),
  );
}

function partOf(file: string): string {
  if (file.startsWith('e2e/payments/')) return 'payments';
  const folderName = file.split('/')[0] ?? '';
  return ['web', 'worker', 'e2e'].includes(folderName) ? folderName : 'unit';
}

/**
 * Composes docs/SPECIFICATION.md. The page names parts of `npm test` instead of single tests, so renaming a
 * test doesn't change the page.
 */
export function composePage(sections: readonly SpecificationSection[], tests: readonly TaggedTest[]): string {
  const decisions = globSync('docs/decisions/*.md', { cwd: root });
  const linkChange = (change: string) => {
    const file = decisions.find((path) => path.startsWith(`docs/decisions/${change}-`));
    return file === undefined ? `“${change}” above` : `[${change}](${file.replace('docs/', '')})`;
  };
  const composeRow = ({ id, text, changedBy = [] }: SpecificationLine) => {
    const parts = tests.filter(({ ids }) => ids.includes(id)).map(({ part }) => part);
    const cells = [id, text.replaceAll('|', String.raw`\|`), [...new Set(parts)].sort().join(', ')];
    return `| ${[...cells, changedBy.map(linkChange).join('; ')].join(' | ')} |`;
  };
  const composeSection = ({ heading, lines }: SpecificationSection) => {
    if (lines.length === 0) return heading;
    const head = '| No. | Line | Proven by | Changed by |\n|---|---|---|---|';
    return `${heading}\n\n${head}\n${lines.map(composeRow).join('\n')}`;
  };
  const introduction = readFileSync(join(folder, 'introduction.md'), 'utf8').trim();
  return `${[introduction, ...sections.map(composeSection)].join('\n\n')}\n`;
}

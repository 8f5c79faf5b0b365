import { NAME_SEPARATOR, readValues } from './test-names.ts';

/** One line of the specification and the tests that prove it. */
export interface SpecificationRow {
  /** Section and number, '2.31'. */
  readonly id: string;
  readonly line: string;
  /** Each 'part › group › test'. */
  readonly proofs: readonly string[];
}

/** A test as its source names it: `name` is 'group › test', with the placeholders of `it.each`. */
export interface KnownTest {
  readonly part: string;
  readonly name: string;
  readonly file: string;
}

/**
 * Reads the tables of docs/SPECIFICATION.md.
 * @throws Error where a row has other than four cells, or a proof is not written as 'part › `name`'.
 */
export function readSpecification(markdown: string): SpecificationRow[] {
  return markdown
    .split('\n')
    .filter((text) => /^\|\s*\d/.test(text))
    .map((text) => {
      const cells = text
        .replace(/^\||\|$/g, '')
        .split(/(?<!\\)\|/)
        .map((cell) => cell.replaceAll(String.raw`\|`, '|').trim());
      const [id, line, proofs] = cells;
      if (cells.length !== 4 || id === undefined || line === undefined || proofs === undefined) {
        throw new Error(`A row has four cells, not: ${text}`);
      }
      return { id, line, proofs: proofs === '' ? [] : proofs.split('<br>').map(readProof) };
    });
}

function readProof(text: string): string {
  const [, part, name] = /^(\w+) › `([^`]+)`$/.exec(text) ?? [];
  if (part === undefined || name === undefined) {
    throw new Error(`A proof is written as: part › \`name\`, not as: ${text}`);
  }
  return `${part}${NAME_SEPARATOR}${name}`;
}

/**
 * Whether a test is the one that a proof names: by its own name, or by that of one of its rows, whose values
 * must then stand in the test's source.
 */
export function isProvenBy(
  proof: string,
  { test, source }: { readonly test: KnownTest; readonly source: string },
): boolean {
  const written = `${test.part}${NAME_SEPARATOR}${test.name}`;
  if (written === proof) return true;
  const values = readValues(proof, written);
  return values !== null && values.every((value) => source.includes(value));
}

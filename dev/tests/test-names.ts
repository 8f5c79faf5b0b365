import { listTests } from '../checks/specification.ts';

/** Separates `describe` and test titles in a name that a person types. */
const NAME_SEPARATOR = ' › ';

/** Matches the separator of titles in full test names: ` > ` in Vitest, a space in Playwright. */
const SPOKEN_SEPARATOR = '( > | )';
/** Placeholders in `it.each` titles, such as %s, $name and $0. */
const PLACEHOLDER = /%[sdijo]|\$\w+/;

/**
 * Turns `name` into a regular expression for full test names. `name` is 'group › test', a part of it, or a
 * title with placeholders ('sends %s as %s'). '2.31' matches the tests whose comment names that line of the specification.
 */
export function namePattern(name: string): string {
  if (/^\d+\.\d+$/.test(name)) {
    const titles = listTests().flatMap(({ ids, title }) => (ids.includes(name) ? [title] : []));
    return titles.map((title) => fillPlaceholders(title, '.*')).join('|') || 'no test has this line';
  }
  return name
    .split(NAME_SEPARATOR)
    .map((part) => fillPlaceholders(part, '.*'))
    .join(SPOKEN_SEPARATOR);
}

function fillPlaceholders(name: string, pattern: string): string {
  return name
    .split(PLACEHOLDER)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .join(pattern);
}

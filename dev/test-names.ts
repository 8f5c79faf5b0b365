import { findTags } from './specification/specification.ts';

/** Between a group and its test where a name is written down. */
const NAME_SEPARATOR = ' › ';

/** Between them where Vitest and Playwright look. */
const SPOKEN_SEPARATOR = '( > | )';
/** What `it.each` puts a row's value in place of. */
const PLACEHOLDER = /%[sdijo]/;

/**
 * The regular expression, as text, of the tests whose full name contains `name`: 'group › test', a part of it, or a
 * name with placeholders ('sends %s as %s'), which stand for any text. The number of a specification
 * line, '2.31', stands for the tests that prove it.
 */
export function namePattern(name: string): string {
  const tags = findTags(name);
  if (tags) return tags.map((tag) => fillPlaceholders(tag, '')).join('|') || 'no test has this line';
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

import { findTags } from './specification/specification.ts';

/** Between `describe` and test titles as people write them. */
const NAME_SEPARATOR = ' › ';

/** Between the titles as Vitest or Playwright joins them. */
const SPOKEN_SEPARATOR = '( > | )';
/** Placeholders in `it.each` titles. */
const PLACEHOLDER = /%[sdijo]/;

/**
 * Returns a regular expression for the tests whose full name contains `name`: 'group › test', a part of it,
 * or a title with placeholders ('sends %s as %s'). A specification line's number, such as '2.31', matches
 * the tests that carry it.
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

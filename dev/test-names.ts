/** Between a group and its test where a name is written down. */
export const NAME_SEPARATOR = ' › ';

/** Between them where Vitest and Playwright look. */
const SPOKEN_SEPARATOR = '( > | )';
/** What `it.each` puts a row's value in place of. */
const PLACEHOLDER = /%[sdijo]/;

/**
 * The regular expression, as text, of the tests whose full name contains `name`: 'group › test', a part of it, or a
 * name with placeholders ('sends %s as %s'), which stand for any text.
 */
export function namePattern(name: string): string {
  return name
    .split(NAME_SEPARATOR)
    .map((part) => part.split(PLACEHOLDER).map(escapeForRegExp).join('.*'))
    .join(SPOKEN_SEPARATOR);
}

function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

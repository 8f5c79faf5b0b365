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
    .map((part) => fillPlaceholders(part, '.*'))
    .join(SPOKEN_SEPARATOR);
}

/** What a test's rows put into its name to make it `name`; `null` where it has no rows or none can make that name. */
export function readValues(name: string, testName: string): readonly string[] | null {
  const [, ...values] = new RegExp(`^${fillPlaceholders(testName, '(.+)')}$`).exec(name) ?? [];
  return values.length > 0 ? values : null;
}

function fillPlaceholders(name: string, pattern: string): string {
  return name
    .split(PLACEHOLDER)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .join(pattern);
}

export function callerSearchText(person: { firstName: string; lastName: string; handle: string }): string {
  return normalizeSearch(`${person.firstName} ${person.lastName} @${person.handle}`);
}

/**
 * Normalizes a text for storing and searching: NFKC, lower case, single spaces, trimmed. NFKC is applied
 * again at the end, because lower-case letters combine with some marks that capitals don't combine with.
 */
export function normalizeSearch(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/g, ' ').trim();
}

/** Trims a token's symbol and capitalizes its ASCII letters, whose case the database's index ignores. */
export function normalizeSymbol(text: string): string {
  return text.trim().replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

const TOKEN_LENGTH = 3;

/**
 * Returns the phrase that finds this term in the index `callers_search`. The index has a token for each run of one to
 * three characters, and runs of the same length follow each other. A token is the run's UTF-8 in hex, so that no
 * character has a meaning in the index's query language.
 */
export function searchPhrase(normalizedTerm: string): string {
  const characters = [...normalizedTerm];
  const length = Math.min(TOKEN_LENGTH, characters.length);
  const tokens = characters
    .slice(0, characters.length - length + 1)
    .map((_, start) => toHex(characters.slice(start, start + length).join('')));
  return `"${tokens.join(' ')}"`;
}

function toHex(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

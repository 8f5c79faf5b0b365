export function callerSearchText(person: { firstName: string; lastName: string; handle: string }): string {
  return normalizeSearch(`${person.firstName} ${person.lastName} @${person.handle}`);
}

/**
 * Brings a text into the form in which it is stored and searched: NFKC, lower case, single spaces, trimmed.
 */
export function normalizeSearch(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

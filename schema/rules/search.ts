/** What the directory's search looks into: name and handle, lower-case. */
export function callerSearchText(person: { firstName: string; lastName: string; handle: string }): string {
  return normalizeSearch(`${person.firstName} ${person.lastName} @${person.handle}`);
}

/** A search term as it is compared: trimmed, lower-case, single spaces. */
export function normalizeSearch(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Writes canonical JSON (RFC 8785). Texts must be well-formed Unicode, and numbers finite. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each: Json) => canonicalJson(each)).join(',')}]`;
  const members = Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`);
  return `{${members.join(',')}}`;
}

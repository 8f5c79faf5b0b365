import type { SQL } from 'drizzle-orm';
import { calls, type callColumnsWith } from '#schema/tables/calls.ts';
import { factsOf } from '#schema/tables/table.ts';
import type { Json } from '../../../shared/canonical-json.ts';
import { hashQuotes, sealText, type LogEvent, type LoggedQuote } from '../../log/log-entries.ts';

/** The logged columns that are fixed at a time. */
export type LoggedAt<Time> = keyof ReturnType<typeof callColumnsWith<{ fixed: Time; logged: string }>>;

interface LoggedCall<Time> {
  readonly id: string;
  /** The values of the call's columns, as they are inserted or set. SQL if the database decides one. */
  readonly values: { readonly [Key in LoggedAt<Time>]: Json | SQL };
  readonly quotes: readonly LoggedQuote[];
}

type LoggedContent = Required<Pick<LogEvent, 'content' | 'textSalt'>>;

/**
 * Returns the content of a call's entry in the log: its logged columns that are fixed at this time. Texts are replaced by
 * commitments; `textSalt` is JSON of their salts by member, or null without a text.
 */
export function loggedContent<Time extends 'entry' | 'end'>(
  time: Time,
  { id, values, quotes }: LoggedCall<Time>,
): LoggedContent {
  const given: Readonly<Record<string, Json | SQL | undefined>> = values;
  const content: Record<string, Json | SQL> = { call: id, quotes: hashQuotes(quotes) };
  const salts: Record<string, string> = {};
  for (const [key, { fixed, logged, treatment }] of Object.entries(factsOf(calls).columns)) {
    if (fixed !== time || logged === undefined) continue;
    const value = given[key] ?? null;
    content[logged] = value;
    if (treatment !== 'erase' || value === null) continue;
    if (typeof value !== 'string') throw new TypeError(`${key} is sealed only if its text is known`);
    const sealed = sealText(value);
    content[logged] = sealed.commitment;
    salts[logged] = sealed.salt;
  }
  return { content, textSalt: Object.keys(salts).length === 0 ? null : JSON.stringify(salts) };
}

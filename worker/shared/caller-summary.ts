import { sql } from 'drizzle-orm';
import type { CallerSummary } from '#schema/contracts/callers.ts';

/** The public face of a user as queries select it. */
export interface CallerSummaryRow {
  readonly first_name: string;
  readonly last_name: string;
  readonly twitter_handle: string;
  readonly profile_image_url: string | null;
  readonly is_verified: number;
}

/** Selects `CallerSummaryRow` from the table `users` under the alias `u`. */
export const callerSummaryColumns = sql`u.first_name, u.last_name, u.twitter_handle, u.profile_image_url, u.is_verified`;

/** Whether a caller (the table `users` under the alias `u`) is who their handle finds: no caller whom X gave it later. */
export const carriesHandle = sql`
  NOT EXISTS (SELECT 1 FROM users newer JOIN callers other ON other.caller_id = newer.id
    WHERE newer.twitter_handle = u.twitter_handle COLLATE NOCASE AND newer.updated_at > u.updated_at)`;

/** Somebody's name as messages say it; empty where X has none. */
export function nameOf({
  first_name,
  last_name,
}: Pick<CallerSummaryRow, 'first_name' | 'last_name'>): string {
  return `${first_name} ${last_name}`.trim();
}

/** The one way a caller's public face goes over the wire. */
export function describeCallerSummary(id: string, row: CallerSummaryRow): CallerSummary {
  return {
    id,
    firstName: row.first_name,
    lastName: row.last_name,
    twitterHandle: row.twitter_handle,
    profileImageUrl: row.profile_image_url,
    isVerified: row.is_verified === 1,
  };
}

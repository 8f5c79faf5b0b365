import type { CallerSummary } from '#schema/contracts/callers.ts';
import { users } from '#schema/tables/users.ts';
import { publicColumns, SUMMARY_COLUMNS } from './caller-copies.repository.ts';
import { fingerprint } from '#schema/rules/text/fingerprint.ts';
import { showPerson } from '../../../shared/plain-text.ts';
import { columnsOf, type SelectedRow } from '../../../shared/rows.ts';

/** Public columns of a user. The query must name the table `users` as `u`. */
export const callerSummary = columnsOf(users, 'u', SUMMARY_COLUMNS, publicColumns);

export type CallerSummaryRow = SelectedRow<typeof callerSummary>;

/** Reads a copy of the public columns (`callers.summary`). */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `copyUsersToCallers` writes these columns.
export const readSummary = (json: string) => JSON.parse(json) as CallerSummaryRow;

export function nameOf(row: Pick<CallerSummaryRow, 'first_name' | 'last_name'>): string {
  return `${row.first_name} ${row.last_name}`.trim();
}

export const showCaller = (
  row: Pick<CallerSummaryRow, 'first_name' | 'last_name' | 'twitter_handle'>,
  nameLength?: number,
): string => showPerson({ name: nameOf(row), handle: row.twitter_handle }, nameLength);

interface StoredAvatar {
  readonly id: string;
  readonly url: string | null;
}

/** The server fetches images of other sites, so that viewers send no requests to those sites. */
export const callerAvatarPath = ({ id, url }: StoredAvatar): string | null =>
  url === null ? null : `/api/images/callers/${id}/${fingerprint(url)}`;

export function describeCallerSummary(id: string, row: CallerSummaryRow): CallerSummary {
  return {
    id,
    firstName: row.first_name,
    lastName: row.last_name,
    twitterHandle: row.twitter_handle,
    profileImageUrl: callerAvatarPath({ id, url: row.profile_image_url }),
    isVerified: Boolean(row.is_verified),
  };
}

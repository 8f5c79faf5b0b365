import { profileSlug, type HasName } from '#schema/rules/people/person-name.ts';

export const RECENT_CALLS_FEED = '/feeds/recent-calls.xml';

/** The path of the feed of a caller's ended calls. */
export function callerFeedPath(caller: HasName & { readonly id: string }): string {
  return `/caller/${encodeURIComponent(profileSlug(caller))}/feed.xml`;
}

import { profileSlug } from '#schema/rules/people/person-name.ts';

export const RECENT_CALLS_FEED = '/feeds/recent-calls.xml';

/** The canonical path of a caller's page. */
export function callerPath(caller: Parameters<typeof profileSlug>[0]): string {
  return `/caller/${encodeURIComponent(profileSlug(caller))}`;
}

/** The path of the feed of a caller's ended calls. */
export function callerFeedPath(caller: Parameters<typeof profileSlug>[0]): string {
  return `${callerPath(caller)}/feed.xml`;
}

import { profileSlug } from '#schema/rules/people/person-name.ts';

export const RECENT_CALLS_FEED = '/feeds/recent-calls.xml';

export function callerPath(caller: Parameters<typeof profileSlug>[0]): string {
  return `/caller/${encodeURIComponent(profileSlug(caller))}`;
}

export function callerFeedPath(caller: Parameters<typeof profileSlug>[0]): string {
  return `${callerPath(caller)}/feed.xml`;
}

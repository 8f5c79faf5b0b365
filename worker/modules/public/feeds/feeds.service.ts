import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { ENDED_CALLS_PAGE_SIZE } from '#schema/constants/market.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { hasEnded } from '#schema/rules/calls/ended-call.ts';
import { describeCallPage } from '#schema/rules/text/page-descriptions.ts';
import { callerTitle, callTitle } from '#schema/rules/text/page-texts.ts';
import { withHandle } from '#schema/rules/people/person-name.ts';
import { callerFeedPath, callerPath, RECENT_CALLS_FEED } from './feed-paths.ts';
import type { PublicOptions } from '../public-options.ts';
import { writeFeed, type FeedItem } from './feed-xml.ts';

interface FeedsDependencies extends Pick<PublicOptions, 'callers' | 'calls'> {
  readonly appOrigin: string;
}

/** Writes feeds of ended calls. They list the calls that a visitor without a session sees on the pages. */
export function createFeedsService({ callers, calls, appOrigin }: FeedsDependencies) {
  // The filter is a safeguard: the lists should have no active calls.
  const describeItems = (listed: readonly TokenCall[]): FeedItem[] =>
    listed.filter(hasEnded).map((call) => ({
      title: callTitle(call),
      description: describeCallPage(call),
      author: withHandle(callerTitle(call.caller), call.caller),
      url: `${appOrigin}/call/${encodeURIComponent(call.id)}`,
      publishedAt: call.endTimestamp,
    }));

  return {
    async recentCalls(): Promise<string> {
      const { rows } = await calls.listEnded({ limit: ENDED_CALLS_PAGE_SIZE });
      return writeFeed({
        title: `Recent calls on ${PRODUCT_NAME}`,
        description: 'Token calls that have ended, newest first.',
        pageUrl: `${appOrigin}/recent-calls`,
        feedUrl: `${appOrigin}${RECENT_CALLS_FEED}`,
        items: describeItems(rows),
      });
    },

    /** `path` is the feed's canonical one. Others redirect to it, so that caches store the feed once. */
    async caller(usernameOrId: string) {
      const caller = await callers.publicProfile(usernameOrId);
      const path = callerFeedPath(caller);
      const name = withHandle(callerTitle(caller), caller);
      return {
        path,
        write: async () => {
          const list = { callerId: caller.id, viewerId: null, limit: ENDED_CALLS_PAGE_SIZE };
          return writeFeed({
            title: `${callerTitle(caller)} on ${PRODUCT_NAME}`,
            description: `Token calls by ${name} that have ended, newest first.`,
            pageUrl: `${appOrigin}${callerPath(caller)}`,
            feedUrl: `${appOrigin}${path}`,
            items: describeItems((await calls.listAll(list)).rows),
          });
        },
      };
    },
  };
}

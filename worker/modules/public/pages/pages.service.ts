import { type CallerProfile, callersQuerySchema } from '#schema/contracts/callers.ts';
import { endedCallsQuerySchema, type TokenCalls } from '#schema/contracts/calls.ts';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { FIRST_ROWS } from '#schema/constants/public.ts';
import { hasEnded } from '#schema/rules/calls/ended-call.ts';
import {
  describeCallerPage,
  describeCallPage,
  describeTokenPage,
  PAGE_DESCRIPTIONS,
} from '#schema/rules/text/page-descriptions.ts';
import { documentTitle } from '#schema/rules/text/document-title.ts';
import {
  callerTitle,
  callTitle,
  PAGES,
  TITLES,
  tokenTitle,
  type PagePath,
} from '#schema/rules/text/page-texts.ts';
import { profileSlug } from '#schema/rules/people/person-name.ts';
import type { Base } from '../../../app/base.ts';
import { nullOnErrorCode } from '../../../app/errors.ts';
import type { OtherQuery, PublicResponses, RenderedPage } from '../../../ports/page-renderer.ts';
import { callerFeedPath, callerPath, RECENT_CALLS_FEED } from '../feeds/feed-paths.ts';
import type { PublicOptions } from '../public-options.ts';
import type { PageHead, PagePreview } from './page-head.ts';

export interface Page {
  readonly status: 200 | 404;
  readonly isForEveryone: boolean;
  readonly head: PageHead;
  readonly render?: () => Promise<RenderedPage | OtherQuery>;
}

export interface PagesOptions extends PublicOptions, Pick<Base, 'clock'> {
  readonly appOrigin: string;
}

const RECENT_CALLS = { title: `Recent calls on ${PRODUCT_NAME}`, path: RECENT_CALLS_FEED };

/** The head and content of each page. They never describe an active call, not even for a viewer with access. */
export function createPagesService(options: PagesOptions) {
  const { callDetails, tokenCalls, renderPage, clock, appOrigin } = options;
  const everyResponse = createPublicResponses(options);

  /** `known`: responses that were already read for the head. */
  const renderer =
    (href: string, known: Partial<PublicResponses> = {}): NonNullable<Page['render']> =>
    () =>
      renderPage({ href, now: clock.now(), responses: { ...everyResponse, ...known } });

  /** Makes the page of an active or missing call. Its status is 404 unless the viewer may read the call. */
  const activeCallPage = async (id: string, viewerId: string | null): Promise<Page> => {
    const isReadable =
      viewerId !== null &&
      (await nullOnErrorCode('calls.not_found', callDetails.assertReadable({ id, viewerId })));
    return isReadable ? privatePage(200, TITLES.call) : privatePage(404, TITLES.missingCall);
  };

  return {
    /** Redirects from a handle with an @ or in another letter case, because shared caches would store each. */
    async caller({ usernameOrId, href }: { usernameOrId: string; href: string }): Promise<Page> {
      const named = usernameOrId.replace(/^@/, '');
      const caller = await nullOnErrorCode('callers.not_found', everyResponse.caller(named));
      if (!caller) return privatePage(404, TITLES.missingCaller);
      const isCanonical = [caller.id, profileSlug(caller)].includes(usernameOrId);
      const render = isCanonical
        ? renderer(href, { caller: async () => caller })
        : async () => ({ redirectTo: `${callerPath(caller)}${new URL(href, appOrigin).search}` });
      return { ...callerPage(caller, appOrigin), render };
    },

    /** Calls `findViewer` only if the call is active or missing. */
    async call({ id, href, findViewer }: PageRequest & { id: string }): Promise<Page> {
      const call = await nullOnErrorCode('calls.not_found', everyResponse.call(id));
      // A safeguard: public responses never have an active call.
      if (!call || !hasEnded(call)) return activeCallPage(id, await findViewer());
      const title = callTitle(call);
      const preview: PagePreview = {
        title,
        description: describeCallPage(call),
        url: `${appOrigin}/call/${encodeURIComponent(call.id)}`,
        type: 'article',
        imageUrl: `${appOrigin}/api/token-calls/${encodeURIComponent(call.id)}/share.png`,
      };
      return { ...publicPage(title, preview), render: renderer(href, { call: async () => call }) };
    },

    /** Calls `findViewer` only if no call on the token has ended. */
    async token({ mint, href, findViewer }: PageRequest & { mint: string }): Promise<Page> {
      const token = await nullOnErrorCode('tokens.not_found', everyResponse.tokenCalls(mint));
      if (!token) return activeTokenPage(tokenCalls, { mint, viewerId: await findViewer() });
      const page = publicPage(tokenTitle(token), tokenPreview(token, appOrigin));
      return { ...page, render: renderer(href, { tokenCalls: async () => token }) };
    },

    /** Renders public pages. All others are empty without a session. */
    fixed({ path, href }: { path: PagePath; href: string }): Page {
      const { title, isPublic } = PAGES[path];
      const description = PAGE_DESCRIPTIONS[path];
      const imageUrl = `${appOrigin}/api/card.png`;
      return {
        status: 200,
        isForEveryone: true,
        head: {
          title: documentTitle(title),
          isIndexed: isPublic,
          ...(description && {
            preview: { title, description, url: `${appOrigin}${path}`, type: 'website', imageUrl },
          }),
          ...(path === '/recent-calls' && { feed: RECENT_CALLS }),
        },
        // Not indexed, because it has countless addresses.
        ...((isPublic || path === '/compare') && { render: renderer(href) }),
      };
    },

    /** Makes the operators' console. The route must check that the viewer is an operator. */
    operators(): Page {
      return privatePage(200, TITLES.operators);
    },

    notFound(): Page {
      return privatePage(404, TITLES.missingPage);
    },
  };
}

export interface PageRequest {
  readonly href: string;
  readonly findViewer: () => Promise<string | null>;
}

/** Makes the page of a token without an ended call. Its status is 404 unless the viewer may see an active call. */
async function activeTokenPage(
  tokenCalls: PublicOptions['tokenCalls'],
  { mint, viewerId }: { mint: string; viewerId: string | null },
): Promise<Page> {
  const isKnown =
    viewerId !== null &&
    (await nullOnErrorCode('tokens.not_found', tokenCalls.assertKnown({ mint, viewerId })));
  return isKnown ? privatePage(200, TITLES.token) : privatePage(404, TITLES.missingToken);
}

function callerPage(caller: CallerProfile, appOrigin: string): Page {
  const title = callerTitle(caller);
  const preview: PagePreview = {
    title,
    description: describeCallerPage(caller),
    url: `${appOrigin}${callerPath(caller)}`,
    type: 'profile',
    imageUrl: `${appOrigin}/api/callers/${encodeURIComponent(caller.id)}/card.png`,
  };
  const feed = { title: `${title} on ${PRODUCT_NAME}`, path: callerFeedPath(caller) };
  return publicPage(title, preview, feed);
}

function tokenPreview(token: TokenCalls, appOrigin: string): PagePreview {
  const { mint, first } = token;
  return {
    title: tokenTitle(token),
    description: describeTokenPage(token),
    url: `${appOrigin}/token/${encodeURIComponent(mint)}`,
    type: 'article',
    ...(first && { imageUrl: `${appOrigin}/api/token-calls/${encodeURIComponent(first.id)}/share.png` }),
  };
}

function publicPage(title: string, preview: PagePreview, feed?: PageHead['feed']): Page {
  const head = { title: documentTitle(title), isIndexed: true, preview, ...(feed && { feed }) };
  return { status: 200, isForEveryone: true, head };
}

function privatePage(status: Page['status'], title: string): Page {
  return { status, isForEveryone: false, head: { title: documentTitle(title), isIndexed: false } };
}

/** Calls every service as a visitor without a session, regardless of the page's viewer. */
function createPublicResponses(options: PublicOptions): PublicResponses {
  const { callers, calls, callDetails, tokenCalls, prices, pauses } = options;
  const viewerId = null;
  return {
    callers: (filter) =>
      callers.list(callersQuerySchema.parse({ ...filter, limit: String(FIRST_ROWS.callers) })),
    endedCalls: (filter) =>
      calls.listEnded(endedCallsQuerySchema.parse({ ...filter, limit: String(FIRST_ROWS.endedCalls) })),
    comparison: (filter) => callers.compare(filter),
    caller: async (usernameOrId) => (await callers.profile({ usernameOrId, viewerId })).read(),
    callerHistory: (callerId) => calls.listAll({ callerId, viewerId, limit: FIRST_ROWS.history }),
    call: (id) => callDetails.get({ id, viewerId }),
    tokenCalls: (mint) => tokenCalls.get({ mint, viewerId }),
    solPrice: () => prices.solPrice(),
    status: async () => ({ pauses: await pauses.list(), outages: options.lastKnownOutages() }),
  };
}

import type { CallerListItem } from '#schema/contracts/callers.ts';
import type { EndedCall } from '#schema/contracts/calls.ts';
import {
  callerTitle,
  callTitle,
  describeCallerPage,
  describeCallPage,
  documentTitle,
  PAGES,
  TITLES,
  type PagePath,
} from '#schema/rules/page-texts.ts';
import { profileSlug } from '#schema/rules/person-name.ts';
import { nullOn } from '../../app/errors.ts';
import type { PageHead, PagePreview } from './page-head.ts';

export interface Page {
  readonly status: 200 | 404;
  /** True if every visitor gets the same bytes. */
  readonly isForEveryone: boolean;
  readonly head: PageHead;
}

export interface PublicCallerPort {
  /**
   * @throws callers.not_found
   */
  publicProfile(usernameOrId: string): Promise<Omit<CallerListItem, 'recentCalls'>>;
}

export interface EndedCallPort {
  /** @throws calls.not_found for a missing or an active call */
  getEnded(id: string): Promise<EndedCall>;
}

export interface ReadableCallPort {
  /** @throws calls.not_found unless the viewer may read the call */
  get(request: { id: string; viewerId: string | null }): Promise<unknown>;
}

export interface PagesOptions {
  readonly callers: PublicCallerPort;
  readonly calls: EndedCallPort;
  readonly callDetails: ReadableCallPort;
  readonly appOrigin: string;
}

export type PagesService = ReturnType<typeof createPagesService>;

/** Makes the head of each page. A head never describes an active call, not even for a viewer with access. */
export function createPagesService({ callers, calls, callDetails, appOrigin }: PagesOptions) {
  /** The page of an active or missing call. Its status is 404, except for a viewer who may read the call. */
  const activeCallPage = async (id: string, viewerId: string | null): Promise<Page> => {
    const call =
      viewerId === null ? null : await nullOn('calls.not_found', callDetails.get({ id, viewerId }));
    return call === null ? privatePage(404, TITLES.missingCall) : privatePage(200, TITLES.call);
  };

  return {
    async caller(usernameOrId: string): Promise<Page> {
      const caller = await nullOn('callers.not_found', callers.publicProfile(usernameOrId));
      if (!caller) return privatePage(404, TITLES.missingCaller);
      const title = callerTitle(caller);
      return publicPage(title, {
        title,
        description: describeCallerPage(caller),
        url: `${appOrigin}/caller/${encodeURIComponent(profileSlug(caller))}`,
        type: 'profile',
        imageUrl: `${appOrigin}/api/callers/${encodeURIComponent(caller.id)}/card.png`,
      });
    },

    /** Calls `findViewer` only if the call is active or missing. */
    async call({ id, findViewer }: { id: string; findViewer: () => Promise<string | null> }): Promise<Page> {
      const call = await nullOn('calls.not_found', calls.getEnded(id));
      if (!call) return activeCallPage(id, await findViewer());
      const title = callTitle(call);
      return publicPage(title, {
        title,
        description: describeCallPage(call),
        url: `${appOrigin}/call/${encodeURIComponent(call.id)}`,
        type: 'article',
        imageUrl: `${appOrigin}/api/token-calls/${encodeURIComponent(call.id)}/share.png`,
      });
    },

    fixed(path: PagePath): Page {
      return {
        status: 200,
        isForEveryone: true,
        head: { title: documentTitle(PAGES[path].title), isIndexed: PAGES[path].isPublic },
      };
    },

    notFound(): Page {
      return privatePage(404, TITLES.missingPage);
    },
  };
}

function publicPage(title: string, preview: PagePreview): Page {
  const head = { title: documentTitle(title), isIndexed: true, preview };
  return { status: 200, isForEveryone: true, head };
}

function privatePage(status: Page['status'], title: string): Page {
  return { status, isForEveryone: false, head: { title: documentTitle(title), isIndexed: false } };
}

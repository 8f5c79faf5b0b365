import type { CallerListItem } from '#schema/contracts/callers.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
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
import { AppError } from '../../app/errors.ts';
import type { PageHead } from './page-head.ts';

/** What a page answers with. */
export interface Page {
  readonly status: 200 | 404;
  /** Whether these very bytes are anybody's. */
  readonly isForEveryone: boolean;
  readonly head: PageHead;
}

/** A caller as everybody may see them, and what their one address ends in. Throws `callers.not_found`. */
export interface PublicCallerPort {
  publicProfile(usernameOrId: string): Promise<{ caller: Omit<CallerListItem, 'recentCalls'>; name: string }>;
}

/** Ended calls by id; an active one does not exist here: throws `calls.not_found` for both. */
export interface EndedCallPort {
  getEnded(id: string): Promise<TokenCall>;
}

/** Throws `calls.not_found` unless this viewer may read this call. */
export interface ReadableCallPort {
  get(question: { id: string; viewerId: string | null }): Promise<unknown>;
}

export interface PagesOptions {
  readonly callers: PublicCallerPort;
  readonly calls: EndedCallPort;
  readonly callDetails: ReadableCallPort;
  readonly appOrigin: string;
}

export type PagesService = ReturnType<typeof createPagesService>;

/** What the head of each page says. Of an active call no head says anything, to whomever. */
export function createPagesService({ callers, calls, callDetails, appOrigin }: PagesOptions) {
  /** Page of a call that has not ended, or never was: only who may read it is told that it is there. */
  const unendedCall = async (id: string, viewerId: string | null): Promise<Page> => {
    const isReadable =
      viewerId !== null &&
      (await unlessRefused('calls.not_found', callDetails.get({ id, viewerId }))) !== null;
    return isReadable
      ? { status: 200, isForEveryone: false, head: quietHead(TITLES.call) }
      : missing(TITLES.missingCall);
  };

  return {
    /** A caller's profile, by handle or id. */
    async caller(usernameOrId: string): Promise<Page> {
      const found = await unlessRefused('callers.not_found', callers.publicProfile(usernameOrId));
      if (!found) return missing(TITLES.missingCaller);
      const { caller, name } = found;
      const title = callerTitle(caller);
      return shown(documentTitle(title), {
        title,
        description: describeCallerPage(caller),
        url: `${appOrigin}/caller/${encodeURIComponent(name)}`,
        type: 'profile',
        imageUrl: `${appOrigin}/api/callers/${encodeURIComponent(caller.id)}/card.png`,
      });
    },

    /** A call. Who asks is looked up only where it matters. */
    async call({ id, findViewer }: { id: string; findViewer: () => Promise<string | null> }): Promise<Page> {
      const call = await unlessRefused('calls.not_found', calls.getEnded(id));
      if (call?.endPrice === undefined || call.endTimestamp === undefined) {
        return unendedCall(id, await findViewer());
      }
      const title = callTitle(call);
      return shown(documentTitle(title), {
        title,
        description: describeCallPage({ ...call, endPrice: call.endPrice, endTimestamp: call.endTimestamp }),
        url: `${appOrigin}/call/${encodeURIComponent(call.id)}`,
        type: 'article',
        imageUrl: `${appOrigin}/api/token-calls/${encodeURIComponent(call.id)}/share.png`,
      });
    },

    /** A page that needs nothing from the database. */
    fixed(path: PagePath): Page {
      return {
        status: 200,
        isForEveryone: true,
        head: { title: documentTitle(PAGES[path].title), isIndexed: PAGES[path].isPublic },
      };
    },

    /** For addresses at which there is nothing. */
    nothing(): Page {
      return missing(TITLES.missingPage);
    },
  };
}

function shown(title: string, preview: NonNullable<PageHead['preview']>): Page {
  return { status: 200, isForEveryone: true, head: { title, isIndexed: true, preview } };
}

/** Says the same whatever was asked for. */
function missing(title: string): Page {
  return { status: 404, isForEveryone: false, head: quietHead(title) };
}

function quietHead(title: string): PageHead {
  return { title: documentTitle(title), isIndexed: false };
}

async function unlessRefused<Answer>(code: ErrorCode, answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.code === code) return null;
    throw error;
  }
}

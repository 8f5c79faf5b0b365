import type { CallDetail } from '#schema/contracts/calls.ts';
import { describeCallerPage, describeCallPage } from '#schema/rules/page-descriptions.ts';
import {
  callerTitle,
  callTitle,
  documentTitle,
  PAGES,
  TITLES,
  type PagePath,
} from '#schema/rules/page-texts.ts';
import { profileSlug } from '#schema/rules/person-name.ts';
import { nullOn } from '../../app/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { OtherQuery, PublicAnswers, RenderedPage, RenderPage } from '../../ports/page-renderer.ts';
import type { PageHead, PagePreview } from './page-head.ts';
import { createPublicAnswers, type PublicAnswersOptions } from './public-answers.ts';

export interface Page {
  readonly status: 200 | 404;
  /** True if every visitor gets the same bytes. */
  readonly isForEveryone: boolean;
  readonly head: PageHead;
  /** Renders the content. Absent if the browser renders it. */
  readonly render?: () => Promise<RenderedPage | OtherQuery>;
}

export interface PagesOptions extends PublicAnswersOptions {
  readonly renderPage: RenderPage;
  readonly clock: Clock;
  readonly appOrigin: string;
}

export type PagesService = ReturnType<typeof createPagesService>;

/** Fixed pages that the worker renders. The others show nothing without a session. */
const RENDERED: ReadonlySet<PagePath> = new Set<PagePath>(['/', '/recent-calls', '/how-we-count']);

/** Makes the head and the content of each page. They never describe an active call, not even for a viewer with access. */
export function createPagesService({ renderPage, clock, appOrigin, ...services }: PagesOptions) {
  const { callDetails } = services;
  const everyAnswer = createPublicAnswers(services);

  /** `known`: answers that the head has needed already. */
  const renderer =
    (href: string, known: Partial<PublicAnswers> = {}): NonNullable<Page['render']> =>
    () =>
      renderPage({ href, now: clock.now(), answers: { ...everyAnswer, ...known } });

  /** The page of an active or missing call. Its status is 404 unless the viewer may read the call. */
  const activeCallPage = async (id: string, viewerId: string | null): Promise<Page> => {
    const isReadable =
      viewerId !== null && (await nullOn('calls.not_found', callDetails.assertReadable({ id, viewerId })));
    return isReadable ? privatePage(200, TITLES.call) : privatePage(404, TITLES.missingCall);
  };

  return {
    async caller({ usernameOrId, href }: { usernameOrId: string; href: string }): Promise<Page> {
      const caller = await nullOn('callers.not_found', everyAnswer.caller(usernameOrId));
      if (!caller) return privatePage(404, TITLES.missingCaller);
      const title = callerTitle(caller);
      const preview: PagePreview = {
        title,
        description: describeCallerPage(caller),
        url: `${appOrigin}/caller/${encodeURIComponent(profileSlug(caller))}`,
        type: 'profile',
        imageUrl: `${appOrigin}/api/callers/${encodeURIComponent(caller.id)}/card.png`,
      };
      return { ...publicPage(title, preview), render: renderer(href, { caller: async () => caller }) };
    },

    /** Calls `findViewer` only if the call is active or missing. */
    async call({
      id,
      href,
      findViewer,
    }: {
      id: string;
      href: string;
      findViewer: () => Promise<string | null>;
    }): Promise<Page> {
      const call = await nullOn('calls.not_found', everyAnswer.call(id));
      if (!call || !isEnded(call)) return activeCallPage(id, await findViewer());
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

    fixed({ path, href }: { path: PagePath; href: string }): Page {
      return {
        status: 200,
        isForEveryone: true,
        head: { title: documentTitle(PAGES[path].title), isIndexed: PAGES[path].isPublic },
        ...(RENDERED.has(path) && { render: renderer(href) }),
      };
    },

    notFound(): Page {
      return privatePage(404, TITLES.missingPage);
    },
  };
}

type EndedDetail = CallDetail & Required<Pick<CallDetail, 'endPrice' | 'endTimestamp' | 'changePercent'>>;

/** The public answers have no active call. This makes sure of it. */
function isEnded(call: CallDetail): call is EndedDetail {
  return !call.isActive && call.endPrice !== undefined && call.endTimestamp !== undefined;
}

function publicPage(title: string, preview: PagePreview): Page {
  const head = { title: documentTitle(title), isIndexed: true, preview };
  return { status: 200, isForEveryone: true, head };
}

function privatePage(status: Page['status'], title: string): Page {
  return { status, isForEveryone: false, head: { title: documentTitle(title), isIndexed: false } };
}

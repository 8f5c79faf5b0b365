import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense, useDeferredValue, useState } from 'react';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { FOLLOWER_STAKE_USD } from '#schema/constants/market.ts';
import { TOKEN_SEARCH_MIN_LENGTH } from '#schema/constants/prices.ts';
import { SKELETON_ROWS } from '#schema/constants/web.ts';
import { formatUsd } from '#schema/rules/text/format.ts';
import { callersQuery } from '#web/api/callers.queries.ts';
import { PROVEN_HINT } from '#web/lib/calls/proven-text.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { lazyPart } from '#web/lib/page/lazy-part.tsx';
import { useIsWide } from '#web/lib/page/use-is-wide.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { StakeToggle } from '#web/lib/money/stake.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';
import { ShowMore } from '#web/lib/page/show-more.tsx';
import { useIsHydrated } from '#web/ui/use-is-hydrated.ts';
import { HowWeCount } from '#web/ui/figures/how-we-count.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { RowSkeletons } from '#web/ui/lists/row-skeletons.tsx';
import { SkeletonGroup } from '#web/ui/lists/skeleton.tsx';
import { ProvenExplanation } from '#web/ui/overlays/explain-proven.tsx';
import { CompareBar } from './compare.tsx';
import { CallerCards } from './caller-cards.tsx';
import type { CallersTableProps } from './callers-table.tsx';
import { DirectoryControls } from './directory-controls.tsx';
import {
  filterOf,
  hasFilters,
  sortLabels,
  type DirectorySearch,
  type DirectoryView,
} from './directory-search.ts';
import { LazyCallersTable } from './lazy-callers-table.ts';

export type DirectoryPageProps = Omit<CallersTableProps, 'callers'>;

export function DirectoryPage(props: DirectoryPageProps) {
  const { search, onSearchChange } = props;
  const [clears, setClears] = useState(0);
  const isHydrated = useIsHydrated();
  // The server's HTML has no tokens, because it doesn't wait for their code.
  const hasTokens = isHydrated && (search.search ?? '').length >= TOKEN_SEARCH_MIN_LENGTH;
  const clear = () => {
    setClears(clears + 1);
    onSearchChange(search.view ? { view: search.view } : {});
  };
  return (
    <div className={classNames('py-6 md:py-10', search.view === 'table' ? 'desk-table' : 'desk')}>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div>
          <h1 className="text-xl font-semibold tracking-tight md:text-2xl">Find {PRODUCT_NAME}</h1>
          <p className="mt-1 max-w-prose text-sm text-text-muted md:text-base">
            Every call from entry to end, wins and losses. Follow callers for free or for a monthly fee in
            SOL. <HowWeCount hash="ranked" />
          </p>
        </div>
        <StakeToggle className="max-md:w-full" />
      </div>
      <DirectoryControls search={search} onSearchChange={onSearchChange} onClear={clear} clears={clears} />
      {hasTokens && search.search !== undefined && <LazyTokenMatches search={search.search} />}
      <OrderHint search={search} />
      <DirectoryResults {...props} onClear={clear} />
      <CompareBar />
      <ProvenExplanation />
    </div>
  );
}

function OrderHint({ search }: { search: DirectorySearch }) {
  const hint = hints.find(([key]) => key === hintOf(search));
  if (!hint) return null;
  const [, { label, text, hash }] = hint;
  return (
    <p className="-mt-2 mb-4 text-sm text-text-muted">
      <strong className="font-medium text-text">{label}</strong>: {text} <HowWeCount hash={hash} />
    </p>
  );
}

function hintOf({ microCaps, search, sort }: DirectorySearch) {
  if (microCaps) return 'microCaps';
  return search === undefined ? sort : 'search';
}

const hints = Object.entries({
  afterFee: {
    label: sortLabels.afterFee,
    text: `The gain beyond holding SOL with ${formatUsd(FOLLOWER_STAKE_USD)} per call, minus the fee, as a share of the most money in calls at one time. This order is the same for everybody, whatever the amount per call.`,
    hash: 'after-fee',
  },
  microCaps: {
    label: 'Micro-caps',
    text: 'Callers with a record on tokens too small for the rankings. It’s under “More figures” on each profile.',
    hash: 'ranked',
  },
  search: {
    label: sortLabels.avgReturn,
    text: 'The order of every search. Clear it to choose another order.',
    hash: 'ranked',
  },
  proven: { label: sortLabels.proven, text: PROVEN_HINT, hash: 'proven' },
  followerReturn: {
    label: sortLabels.followerReturn,
    text: 'The mean result of followers who bought and sold a minute later.',
    hash: 'follower-return',
  },
} as const);

const FITS_TABLE = '(width >= 64rem)';

function DirectoryResults({ onClear, ...props }: DirectoryPageProps & { onClear: () => void }) {
  const { search, onSearchChange: _onSearchChange, ...subscribing } = props;
  const view = useIsWide(FITS_TABLE) ? search.view : 'cards';
  const query = useInfiniteQuery(callersQuery(filterOf(search)));
  // A phone takes a fifth of a second for sixty cards, so React draws them in between other tasks.
  const callers = useDeferredValue(query.data);
  if (query.isPending) return <DirectorySkeleton view={view ?? 'cards'} />;
  if (!callers) return <LoadFailed what="callers" query={query} />;
  const isEmpty = callers.length === 0;
  const hasNone = isEmpty && !query.isPaused && !query.hasNextPage;
  if (hasNone) return <NoCallers search={search} onClear={onClear} />;
  const isLoading = query.isPlaceholderData && !query.isPaused;
  return (
    <div aria-busy={isLoading} className={classNames('transition-opacity', isLoading && 'opacity-60')}>
      {query.isPlaceholderData && query.isPaused && (
        <p role="alert" className="mb-4 rounded-md bg-warn-soft p-3 text-sm text-warn">
          This list is from your earlier search. The new one loads when the connection is back.
        </p>
      )}
      {isEmpty && query.hasNextPage && (
        <p className="py-6 text-center text-sm text-text-muted">
          None of the first callers in this order match. There may be matches further down.
        </p>
      )}
      {view === 'table' ? (
        <Suspense fallback={<DirectorySkeleton view="table" />}>
          <LazyCallersTable callers={callers} {...props} />
        </Suspense>
      ) : (
        <CallerCards callers={callers} sort={search.sort} {...subscribing} />
      )}
      <ShowMore query={query} failure="Couldn't load more callers. Try again.">
        Show more callers
      </ShowMore>
    </div>
  );
}

function NoCallers({ search, onClear }: { search: DirectorySearch; onClear: () => void }) {
  return hasFilters(search) ? (
    <EmptyState
      title="No Callers Found"
      description="No caller matches all of these filters."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  ) : (
    <EmptyState title="No Callers Found" description="Callers appear here once they publish calls." />
  );
}

/** The margin keeps the footer below the screen until the list has loaded. Otherwise, the footer would jump. */
function DirectorySkeleton({ view }: { view: DirectoryView }) {
  if (view === 'table') {
    return (
      <Card isFlush className="mb-[50dvh]">
        <RowSkeletons count={SKELETON_ROWS.directory} label="Loading callers" />
      </Card>
    );
  }
  return (
    <SkeletonGroup
      label="Loading callers"
      className="mb-[50dvh] grid grid-cols-1 gap-3 sm:grid-cols-2 md:gap-4 lg:grid-cols-3"
    >
      {Array.from({ length: SKELETON_ROWS.directory }, (_, index) => (
        <div
          key={index}
          data-testid="caller-skeleton"
          className="h-61 animate-pulse rounded-md border border-line bg-surface-raised"
        />
      ))}
    </SkeletonGroup>
  );
}

/** Loaded with the first search. */
const LazyTokenMatches = lazyPart(async () => (await import('./token-matches.tsx')).TokenMatches);

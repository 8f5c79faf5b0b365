import { ArrowLeft } from '#web/ui/icons.tsx';
import { Link } from '@tanstack/react-router';
import { lazy, memo, Suspense, type ReactNode } from 'react';
import { PRODUCT_NAME } from '#schema/constants.ts';
import type { CallDetail } from '#schema/contracts/calls.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { rankingBadge } from '#schema/rules/calls/ranking-texts.ts';
import {
  automaticEndReasons,
  UNCOUNTED_EFFECT,
  uncountedGainReasons,
  UNRANKED_EFFECT,
  unrankedReasons,
} from '#schema/rules/calls/unranked-text.ts';
import { IdentityNotesOf } from '#web/lib/people/identity-notes.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { LazyFold } from '#web/ui/lists/fold.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';
import { CallChartCard } from './call-chart-card.tsx';
import { CallChange, CallFigures } from './call-figures.tsx';
import { CallFollowers } from './call-followers.tsx';
import { CallHeader, type CallHeaderProps } from './call-header.tsx';
import { CallHoldingsCard } from './call-holdings.tsx';
import { CallTimeline, type CallTimelineProps } from './call-timeline.tsx';

const CallProof = lazy(async () => ({ default: (await import('./call-proof.tsx')).CallProof }));
const LOADING = <SkeletonBars label="Loading evidence" bars={['h-64']} />;

type CallViewProps = CallHeaderProps & CallTimelineProps;

/** Memoized, because most call pages look the same after the session has loaded. */
export const CallView = memo(function CallView({ call, renderUpdateReport, ...header }: CallViewProps) {
  return (
    <article className="desk max-w-4xl py-4 md:py-6">
      <Link
        to="/caller/$username"
        params={{ username: call.callerId }}
        className={buttonClassName({ variant: 'ghost', className: '-ml-4 max-w-full' })}
      >
        <ArrowLeft aria-hidden="true" size={16} className="shrink-0" />
        <span className="truncate">
          All calls by <bdi>{fullName(call.caller)}</bdi>
        </span>
      </Link>
      <CallHeader call={call} {...header} />
      <Disclosures call={call} />
      <div className="mt-6 grid gap-x-12 gap-y-6 md:grid-cols-[auto_minmax(0,1fr)] md:items-center">
        <CallChange call={call} />
        <CallFollowers call={call} />
      </div>
      <CallFigures call={call} />
      <Suspense>
        <CallChartCard call={call} />
      </Suspense>
      <Suspense>
        <CallTimeline call={call} renderUpdateReport={renderUpdateReport} />
        <CallHoldingsCard call={call} />
        {call.quotes.length > 0 && (
          <div className="mt-4">
            <LazyFold title={call.isActive ? 'Evidence' : 'Evidence and log'}>
              <Suspense fallback={LOADING}>
                <CallProof call={call} />
              </Suspense>
            </LazyFold>
          </div>
        )}
      </Suspense>
    </article>
  );
});

function Disclosures({ call }: { call: CallDetail }) {
  const { isPaidPromotion, unrankedReason, uncountedGainReason, automaticEnd, caller, note } = call;
  return (
    <div className="mt-4 space-y-2 empty:hidden">
      <IdentityNotesOf callerId={call.callerId} />
      {isPaidPromotion && (
        <p role="note" className="rounded-md border border-warn p-3 text-sm">
          <span className="font-medium text-warn">Paid promotion.</span> <bdi>{fullName(caller)}</bdi>{' '}
          disclosed being paid for this call.
        </p>
      )}
      {note !== null && (
        <Note title={`Note by ${PRODUCT_NAME}:`}>
          <span className="whitespace-pre-wrap wrap-anywhere">{note.text}</span>
        </Note>
      )}
      {automaticEnd !== null && <Note title="Ended automatically.">{automaticEndReasons[automaticEnd]}</Note>}
      {unrankedReason !== null && (
        <Note title={`${rankingBadge(call)}.`}>
          {unrankedReasons[unrankedReason]} {UNRANKED_EFFECT}
        </Note>
      )}
      {uncountedGainReason !== null && (
        <Note title="This gain counts as 0%.">
          {uncountedGainReasons[uncountedGainReason]} {UNCOUNTED_EFFECT}
        </Note>
      )}
    </div>
  );
}

function Note({ title, children }: { title: string; children: ReactNode }) {
  return (
    <p role="note" className="rounded-md border border-line p-3 text-sm text-text-muted">
      <span className="font-medium text-text">{title}</span> {children}
    </p>
  );
}

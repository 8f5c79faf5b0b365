import { Link } from '@tanstack/react-router';
import { lazy, memo, Suspense, type ReactNode } from 'react';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
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
import { ArrowLeft } from '#web/ui/icons.tsx';
import { IdentityNotesOf } from '#web/lib/people/identity-notes.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { LazyFold } from '#web/ui/lists/fold.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { ReportButton } from '#web/lib/report/report-button.tsx';
import { HowWeCount } from '#web/ui/figures/how-we-count.tsx';
import { useIsNear } from '#web/ui/use-is-near.ts';
import { Address } from '#web/ui/figures/address.tsx';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { Badge } from '#web/ui/people/badge.tsx';
import { BuyLink } from '#web/ui/controls/buy-link.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { TokenLink } from '#web/ui/figures/token-link.tsx';
import { CallerLink } from '#web/ui/people/caller-link.tsx';
import { VerifiedMark } from '#web/ui/people/verified-mark.tsx';
import { CallChartCard } from './call-chart-card.tsx';
import { CallChange, CallFigures } from './call-figures.tsx';
import { CallFollowers } from './call-followers.tsx';
import { CallTimeline } from './call-timeline.tsx';

const CallProof = lazy(async () => ({ default: (await import('./call-proof.tsx')).CallProof }));
const LOADING = <SkeletonBars label="Loading evidence" bars={['h-64']} />;

/** Memoized, because most call pages look the same after the session has loaded. */
export const CallView = memo(function CallView(props: CallHeaderProps) {
  const { call, isOwner } = props;
  return (
    <article className="desk max-w-4xl py-4 md:py-6">
      <Link
        to="/caller/$username"
        params={{ username: call.callerId }}
        className={buttonClassName({ variant: 'ghost', className: '-ml-4 max-w-full' })}
      >
        <ArrowLeft size={16} className="shrink-0" />
        <span className="truncate">
          All calls by <bdi>{fullName(call.caller)}</bdi>
        </span>
      </Link>
      <CallHeader {...props} />
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
        <CallTimeline call={call} isOwner={isOwner} />
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

const HoldingsReading = lazy(async () => ({
  default: (await import('./holdings-reading.tsx')).HoldingsReading,
}));

/** Shows what the caller's own wallets bought and sold of the token. The sentences load when they come near the window. */
export function CallHoldingsCard({ call }: { call: CallDetail }) {
  const { holdings } = call;
  const { ref, isNear } = useIsNear<HTMLDivElement>();
  if (!holdings) return null;
  return (
    <Card
      title="Skin in the game"
      description="What the caller's verified wallets bought and sold, from an hour before the call to a day after its end"
      className="mt-4"
    >
      <div ref={ref} className="min-h-5 space-y-2 text-sm">
        {isNear && (
          <Suspense>
            <HoldingsReading call={call} holdings={holdings} />
          </Suspense>
        )}
      </div>
      <p className="mt-2 text-xs text-text-muted">
        Wallets that the caller hasn't verified with us can't be seen.{' '}
        <HowWeCount hash="skin" className="inline-flex min-h-11 items-center md:min-h-0" />
      </p>
    </Card>
  );
}

const originTexts = { site: null, api: 'by a program', telegram: 'on Telegram' } as const;

interface CallHeaderProps {
  call: CallDetail;
  isOwner: boolean;
  share: ReactNode;
}

function CallHeader({ call, isOwner, share }: CallHeaderProps) {
  const { caller, tokenName, tokenSymbol, tokenMint, isActive } = call;
  return (
    <header className="mt-2 flex flex-wrap items-start justify-between gap-4">
      <div className="flex min-w-0 items-start gap-3">
        <Avatar src={call.logoURI} name={tokenSymbol} shape="token" />
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h1 className="min-w-0 text-lg font-semibold tracking-tight wrap-anywhere">
              <bdi>{tokenName}</bdi>{' '}
              <bdi className="font-normal text-text-muted">
                {isActive && !isOwner ? tokenSymbol : <TokenLink mint={tokenMint}>{tokenSymbol}</TokenLink>}
              </bdi>
            </h1>
            <Badge tone={isActive ? 'accent' : 'neutral'}>{isActive ? 'Active' : 'Ended'}</Badge>
          </div>
          <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-text-muted">
            Called by
            <CallerLink caller={caller} className="font-medium text-text" />
            {caller.isVerified && <VerifiedMark size={14} />}
            <RelativeTime at={call.callTimestamp} />
            {originTexts[call.madeOn]}
          </p>
          <Address value={tokenMint} label={`token address of ${tokenSymbol}`} isFull />
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        {isOwner && isActive && (
          <Link to="/dashboard" className={buttonClassName({ size: 'sm' })}>
            Update or end call
          </Link>
        )}
        {isOwner ? share : <ReportButton subject={{ kind: 'call', id: call.id, name: 'this call' }} />}
        <BuyLink {...call} />
      </div>
    </header>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight } from '#web/ui/more-icons.ts';
import { useState, type ReactNode } from 'react';
import { PAYOUT_CHANGES_SHOWN_MS } from '#schema/constants/money.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import type { PayoutChange } from '#schema/contracts/wallets.ts';
import { payoutChangesQuery } from '#web/api/wallets.queries.ts';
import { formatMinute } from '#web/lib/text/dates.ts';
import { SOCIAL_LINKS } from '#web/lib/text/links.ts';
import { LoadFailedLine } from '#web/lib/page/load-failed-line.tsx';
import { Address } from '#web/ui/figures/address.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Fact } from '#web/ui/lists/facts.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';

export function PayoutChanges() {
  const { data: changes, isError, refetch } = useQuery(payoutChangesQuery);
  if (changes?.[0]) return <LastChange last={changes[0]} changes={changes} />;
  if (changes || !isError) return null;
  return <LoadFailedLine what="payout wallet changes" onRetry={refetch} className="mb-4" />;
}

function LastChange({ last, changes }: { last: PayoutChange; changes: readonly PayoutChange[] }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div
      role="group"
      aria-label="Last payout wallet change"
      className="mb-4 rounded-md border border-line px-3 pt-3 pb-1 text-sm"
    >
      <p className="flex flex-wrap justify-between gap-x-3">
        <span className="font-medium">{titleOf(last)}</span>
        <RelativeTime at={last.at} className="text-text-muted" />
      </p>
      <div className="flex flex-wrap items-center gap-x-1">
        {last.from !== null && <Address value={last.from} label="previous payout wallet" />}
        {last.from !== null && last.to !== null && (
          <ArrowRight role="img" aria-hidden="false" aria-label="to" size={14} className="text-text-muted" />
        )}
        {last.to !== null && <Address value={last.to} label="new payout wallet" />}
      </div>
      <Button variant="ghost" size="sm" className="-ml-3" onClick={() => setIsOpen(true)}>
        Wasn't this you?
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title="Payout wallet changes"
        description={`The last ${PAYOUT_CHANGES_SHOWN_MS / DAY_MS} days, newest first.`}
      >
        <div className="space-y-5 text-sm">
          <ol className="divide-y divide-line rounded-md border border-line">
            {changes.map((change) => (
              <ChangeInFull key={`${change.at} ${change.from} ${change.to}`} change={change} />
            ))}
          </ol>
          <WhatToDo />
        </div>
      </Dialog>
    </div>
  );
}

function WhatToDo() {
  return (
    <section className="space-y-2">
      <h3 className="font-semibold">If someone else did this</h3>
      <ol className="list-decimal space-y-2 pl-5">
        <li>
          On X, change your password and log out of all other sessions. Anyone signed in to your X account can
          sign in here.
        </li>
        <li>
          Here, end all others under{' '}
          <Link to="/settings/$section" params={{ section: 'sign-ins' }} className="link">
            Sign-ins and API Keys
          </Link>
          .
        </li>
        <li>
          Press “Use for payouts” next to your own wallet, or connect it. New payments go to it right away.
        </li>
        <li>
          If that doesn't help, contact us on <SocialLink href={SOCIAL_LINKS.x}>X</SocialLink> or{' '}
          <SocialLink href={SOCIAL_LINKS.discord}>Discord</SocialLink>.
        </li>
      </ol>
      <p className="text-text-muted">
        Payments already sent to another wallet are on the chain and cannot be reversed.
      </p>
    </section>
  );
}

function SocialLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="underline">
      {children}
    </a>
  );
}

function ChangeInFull({ change }: { change: PayoutChange }) {
  return (
    <li className="px-3 py-2">
      <p className="flex flex-wrap justify-between gap-x-3">
        <span className="font-medium">{titleOf(change)}</span>
        <time dateTime={change.at} className="text-text-muted">
          {formatMinute(change.at)}
        </time>
      </p>
      <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 [&>dt]:text-text-muted">
        <Fact name="From" value={<WalletAddress value={change.from} label="previous payout wallet" />} />
        <Fact name="To" value={<WalletAddress value={change.to} label="new payout wallet" />} />
      </dl>
    </li>
  );
}

function WalletAddress({ value, label }: { value: string | null; label: string }) {
  return value === null ? 'No wallet' : <Address value={value} label={label} isFull />;
}

function titleOf({ from, to }: PayoutChange): string {
  if (from === null) return 'Payout wallet set';
  return to === null ? 'Payout wallet removed' : 'Payout wallet changed';
}

import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { DAY_MS, PAYOUT_CHANGES_SHOWN_MS } from '#schema/constants.ts';
import type { PayoutChange } from '#schema/contracts/wallets.ts';
import { payoutChangesQuery } from '#web/api/wallets.queries.ts';
import { SOCIAL_LINKS } from '#web/lib/links.ts';
import { Address } from '#web/ui/address.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';

/** Tells a caller how their payout wallet was changed last, and what to do if that was somebody else. */
export function PayoutChanges() {
  const { data: changes, isError, refetch } = useQuery(payoutChangesQuery);
  const [isOpen, setIsOpen] = useState(false);
  if (!changes) {
    if (!isError) return null;
    return (
      <p
        role="alert"
        className="mb-4 flex flex-wrap items-center justify-between gap-x-3 text-sm text-text-muted"
      >
        Whether your payout wallet was changed lately did not load.
        <Button size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    );
  }
  const [last] = changes;
  if (!last) return null;
  return (
    <div
      role="group"
      aria-label="Last change of your payout wallet"
      className="mb-4 rounded-md border border-line px-3 pt-3 pb-1 text-sm"
    >
      <p className="flex flex-wrap justify-between gap-x-3">
        <span className="font-medium">{titleOf(last)}</span>
        <RelativeTime at={last.at} className="text-text-muted" />
      </p>
      <div className="flex flex-wrap items-center gap-x-1">
        {last.from !== null && <Address value={last.from} label="payout address before" />}
        {last.from !== null && last.to !== null && (
          <ArrowRight role="img" aria-label="to" size={14} className="text-text-muted" />
        )}
        {last.to !== null && <Address value={last.to} label="payout address since" />}
      </div>
      <Button variant="ghost" size="sm" className="-ml-3" onClick={() => setIsOpen(true)}>
        Was this not you?
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title="Changes of your payout wallet"
        description={`Of the last ${PAYOUT_CHANGES_SHOWN_MS / DAY_MS} days, the newest first.`}
      >
        <div className="space-y-5 text-sm">
          <ol className="divide-y divide-line rounded-md border border-line">
            {changes.map((change) => (
              <ChangeInFull key={`${change.at} ${change.from} ${change.to}`} change={change} />
            ))}
          </ol>
          <section className="space-y-2">
            <h3 className="font-semibold">If somebody else did this</h3>
            <ol className="list-decimal space-y-2 pl-5">
              <li>
                On X, change your password and log out every other session. Who is signed in to your X account
                can sign in here.
              </li>
              <li>
                Here, press “Pay me here” beside your own wallet, or connect it. New payments go to it at
                once.
              </li>
              <li>
                Write to us on{' '}
                <a href={SOCIAL_LINKS.x} target="_blank" rel="noopener noreferrer" className="underline">
                  X
                </a>{' '}
                or{' '}
                <a
                  href={SOCIAL_LINKS.discord}
                  target="_blank"
                  rel="noopener noreferrer"
                  className="underline"
                >
                  Discord
                </a>
                : we end every session of your account.
              </li>
            </ol>
            <p className="text-text-muted">
              What was paid to another wallet meanwhile is on the chain and cannot be taken back.
            </p>
          </section>
        </div>
      </Dialog>
    </div>
  );
}

function ChangeInFull({ change }: { change: PayoutChange }) {
  return (
    <li className="px-3 py-2">
      <p className="flex flex-wrap justify-between gap-x-3">
        <span className="font-medium">{titleOf(change)}</span>
        <time dateTime={change.at} className="text-text-muted">
          {new Date(change.at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}
        </time>
      </p>
      <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3">
        <dt className="text-text-muted">From</dt>
        <dd>
          {change.from === null ? (
            'No wallet'
          ) : (
            <Address value={change.from} label="payout address before" isFull />
          )}
        </dd>
        <dt className="text-text-muted">To</dt>
        <dd>
          {change.to === null ? (
            'No wallet'
          ) : (
            <Address value={change.to} label="payout address since" isFull />
          )}
        </dd>
      </dl>
    </li>
  );
}

function titleOf({ from, to }: PayoutChange): string {
  if (from === null) return 'Payout wallet set';
  return to === null ? 'Payout wallet removed' : 'Payout wallet changed';
}

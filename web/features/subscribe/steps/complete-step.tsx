import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import type { PaymentRecord } from '#schema/contracts/subscriptions.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { START_AT_ONCE } from '#schema/rules/text/start-at-once.ts';
import { formatSolAmount } from '#schema/rules/text/format-amounts.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { CallerChats } from '#web/lib/telegram/caller-chats.tsx';
import { Address } from '#web/ui/figures/address.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ExplorerLink } from '#web/ui/figures/explorer-link.tsx';
import { Fact, FactList } from '#web/ui/lists/facts.tsx';
import { StepTitle } from './step-title.tsx';
import type { SubscribeCaller } from '../subscribe-caller.ts';
import type { StepProps } from '../use-subscribe-flow.ts';

export interface CompleteStepProps extends Pick<StepProps<'complete'>, 'view'> {
  caller: SubscribeCaller;
  onDone: () => void;
}

export function CompleteStep({ caller, view: { subscription }, onDone }: CompleteStepProps) {
  const { data: user } = useQuery(currentUserQuery);
  const name = fullName(caller);
  const { payment } = subscription;
  const end = subscription.endDate === null ? null : new Date(subscription.endDate);
  return (
    <div className="flex flex-col gap-5">
      <div className="flex items-center gap-4 rounded-md bg-gain-soft p-4">
        <DoneMark />
        <div className="min-w-0">
          <StepTitle>{payment ? 'Payment complete' : 'All set'}</StepTitle>
          <p role="status" className="text-lg font-semibold text-gain">
            You are subscribed to {name}.
          </p>
        </div>
      </div>
      <FactList className="[&>dd]:font-medium">
        {payment && (
          <Fact name="You bought">
            {payment.days} days of <bdi>{name}</bdi>'s active calls
          </Fact>
        )}
        {end && (
          <Fact name="Access until">
            <time dateTime={end.toISOString()}>
              {end.toLocaleString([], { dateStyle: 'long', timeStyle: 'short' })}
            </time>
          </Fact>
        )}
        {payment && <Fact name="You paid" value={`${formatSolAmount(payment.totalAmount)} SOL`} />}
      </FactList>
      {payment && <p className="text-sm text-text-muted">{START_AT_ONCE.record}</p>}
      {payment && <Receipt payment={payment} onLeave={onDone} />}
      <div className="space-y-1 text-sm text-text-muted">
        <p>Their calls now appear on your dashboard.</p>
        {!user?.telegramConnected && <p>Connect Telegram there to get each new call at once.</p>}
      </div>
      <CallerChats caller={caller} />
      <div className="mt-auto flex gap-2">
        <Button className="flex-1" onClick={onDone}>
          Done
        </Button>
        <CallsLink caller={caller} onLeave={onDone} />
      </div>
    </div>
  );
}

const linkClassName = 'flex min-h-11 items-center text-sm font-medium link';

function Receipt({ payment, onLeave }: { payment: PaymentRecord; onLeave: () => void }) {
  const { transactionId: signature, explorerUrl } = payment;
  return (
    <section className="rounded-md border border-line px-4 pt-3 text-sm">
      <h3 className="font-semibold">Receipt</h3>
      <p className="mt-1 flex flex-wrap items-center gap-x-2">
        <span className="text-text-muted">Transaction</span>
        <Address value={signature} label="transaction signature" />
      </p>
      <div className="flex flex-wrap gap-x-5">
        {/* The link replaces the dialog's history entry, so that Back returns to the page below the dialog. */}
        <Link
          to="/payments/$signature"
          params={{ signature }}
          replace
          onClick={onLeave}
          className={linkClassName}
        >
          View receipt
        </Link>
        <ExplorerLink href={explorerUrl} />
      </div>
    </section>
  );
}

function CallsLink({ caller, onLeave }: { caller: SubscribeCaller; onLeave: () => void }) {
  const shown = useLocation({ select: ({ pathname }) => /^\/caller\/([^/]+)$/.exec(pathname)?.[1] });
  const isShown = shown === caller.id || shown?.toLowerCase() === caller.twitterHandle.toLowerCase();
  return (
    <Link
      to="/caller/$username"
      params={{ username: isShown && shown !== undefined ? shown : caller.id }}
      replace
      onClick={onLeave}
      className={buttonClassName({ variant: 'primary', className: 'flex-1' })}
    >
      See their calls
    </Link>
  );
}

function DoneMark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 64 44" className="h-11 w-16 shrink-0 text-gain">
      <path d="M11 33 38 20" stroke="currentColor" strokeWidth="2.5" />
      <circle cx="7" cy="35" r="4.5" fill="none" stroke="currentColor" strokeWidth="2.5" />
      <circle cx="50" cy="15" r="13" fill="currentColor" />
      <path d="m44 15.5 4.2 4.2 8-8.4" fill="none" strokeWidth="2.75" className="stroke-surface-raised" />
    </svg>
  );
}

import { SUBSCRIPTION_PERIOD_MS } from '#schema/constants.ts';
import { formatSol, formatSolForDisplay, parseSol } from '#schema/rules/lamports.ts';
import { fullName } from '#schema/rules/person-name.ts';
import { useWallet } from '#web/lib/wallets/wallet-provider.tsx';
import { Address } from '#web/ui/address.tsx';
import { Button } from '#web/ui/button.tsx';
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx';
import { PaymentLegs } from './payment-legs.tsx';
import {
  BASE_NETWORK_FEE_LAMPORTS,
  endOfPeriods,
  fundsProblem,
  type OpenedIntent,
  PERIOD_DAYS,
  readBalance,
  readTerms,
} from './payment-terms.ts';
import { ProblemNote } from './problem-note.tsx';
import { StepTitle } from './step-title.tsx';
import type { SubscribeCaller } from './subscribe-caller.ts';
import type { SubscribeFlow, SubscribeView } from './use-subscribe-flow.ts';

type ConfirmView = Extract<SubscribeView, { step: 'confirm' }>;

/** Between the wallet and the terms. */
export function PreparingStep() {
  return (
    <div className="space-y-4">
      <StepTitle>Preparing the payment</StepTitle>
      <SkeletonGroup label="Reading the terms and your balance" className="space-y-3">
        <Skeleton className="h-48 w-full" />
        <Skeleton className="h-11 w-full" />
      </SkeletonGroup>
    </div>
  );
}

/** Second step: what exactly leaves the wallet, to whom, for how long, and what happens next. */
export function ConfirmStep({
  caller,
  view,
  flow,
}: {
  caller: SubscribeCaller;
  view: ConfirmView;
  flow: SubscribeFlow;
}) {
  const { address } = useWallet();
  const { opened, problem } = view;
  if (opened !== null && opened.payer === address) {
    return <Terms caller={caller} opened={opened} view={view} flow={flow} />;
  }
  return (
    <div className="space-y-4">
      <StepTitle>Not ready to pay yet</StepTitle>
      {problem !== null && <ProblemNote>{problem}</ProblemNote>}
      {/* What was prepared is for an account that the wallet has left. */}
      {address !== null && opened !== null && (
        <p className="text-sm text-text-muted">Your wallet has changed to another account.</p>
      )}
      <Button
        variant="primary"
        className="w-full"
        onClick={() => (address === null ? flow.chooseWallet() : void flow.prepare())}
      >
        {address === null ? 'Connect a wallet again' : 'Prepare the payment again'}
      </Button>
    </div>
  );
}

function Terms({
  caller,
  opened,
  view: { problem, note, isRefreshing },
  flow,
}: {
  caller: SubscribeCaller;
  opened: OpenedIntent;
  view: ConfirmView;
  flow: SubscribeFlow;
}) {
  const { choices, walletId } = useWallet();
  const wallet = choices.find(({ id }) => id === walletId);
  const terms = readTerms(opened.answer.intent);
  const balance = readBalance(opened);
  const funds = fundsProblem(opened);
  const hasFeeChanged = parseSol(caller.monthlyFee ?? '0') !== terms.totalLamports;
  return (
    <div className="space-y-4">
      <StepTitle>Check and pay</StepTitle>
      {problem !== null && problem !== funds && <ProblemNote>{problem}</ProblemNote>}
      {note !== null && (
        <p role="status" className="rounded-md border border-line p-3 text-sm">
          {note}
        </p>
      )}
      {hasFeeChanged && (
        <p role="alert" className="rounded-md bg-warn-soft p-3 text-sm text-warn">
          The fee changed since you opened this page. These are the terms now.
        </p>
      )}
      <PaymentLegs terms={terms} callerName={fullName(caller)} />
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-sm [&>dd]:text-right [&>dt]:text-text-muted">
        <dt>For</dt>
        <dd>{periodText({ opened, caller })}</dd>
        <dt>From</dt>
        <dd>
          {wallet?.name ?? 'Your wallet'} <Address value={opened.payer} label="wallet address" />
        </dd>
        {balance !== null && (
          <>
            <dt>Balance</dt>
            <dd className="figures">{formatSolForDisplay(balance)} SOL</dd>
          </>
        )}
        <dt>Network fee</dt>
        <dd>about {formatSol(BASE_NETWORK_FEE_LAMPORTS)} SOL on top</dd>
      </dl>
      <p className="text-sm text-text-muted">
        Next, your wallet asks you to sign. Access starts when the chain confirms, usually within seconds. It
        ends by itself: nothing is ever taken again without you.
      </p>
      <Button variant="ghost" className="w-full" onClick={flow.chooseWallet}>
        Use another wallet
      </Button>
      {/* It stays in sight while the terms are read: on a small phone they are longer than the screen. */}
      <div className="sticky -bottom-5 -mx-5 -mb-5 space-y-2 border-t border-line bg-surface-raised px-5 pt-3 pb-4 sm:rounded-b-md">
        {funds !== null && <ProblemNote>{funds}</ProblemNote>}
        <div className="flex flex-wrap gap-2 *:px-3">
          <Button
            variant={funds === null ? 'primary' : 'secondary'}
            className="grow"
            disabled={funds !== null}
            onClick={() => void flow.confirm()}
          >
            Pay {formatSolForDisplay(terms.totalLamports)} SOL
          </Button>
          {funds !== null && (
            <Button
              variant="primary"
              className="grow"
              isPending={isRefreshing}
              pendingText="Checking..."
              onClick={() => void flow.prepare()}
            >
              Check again
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

/** What the payment gives: a period from now, or one more after the time that is left. */
function periodText({ opened, caller }: { opened: OpenedIntent; caller: SubscribeCaller }): string {
  const asShown = caller.accessEndsAt == null ? 0 : Date.parse(caller.accessEndsAt);
  const paidUntil = opened.periods === null ? asShown : endOfPeriods(opened.periods);
  return paidUntil > opened.openedAt
    ? `${PERIOD_DAYS} days, added to what you have until ${dayOf(paidUntil)}`
    : `${PERIOD_DAYS} days, until ${dayOf(opened.openedAt + SUBSCRIPTION_PERIOD_MS)}`;
}

function dayOf(time: number): string {
  return new Date(time).toLocaleDateString('en-US', { dateStyle: 'medium' });
}

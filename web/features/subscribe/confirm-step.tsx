import type { ReactNode } from 'react';
import { SUBSCRIPTION_PERIOD_MS } from '#schema/constants.ts';
import { formatSol, formatSolForDisplay, parseSol } from '#schema/rules/lamports.ts';
import { fullName } from '#web/lib/person.ts';
import { useWallet } from '#web/lib/wallets/wallet-provider.tsx';
import { Address } from '#web/ui/address.tsx';
import { Button } from '#web/ui/button.tsx';
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx';
import { PaymentLegs } from './payment-legs.tsx';
import { BASE_NETWORK_FEE_LAMPORTS, type OpenedIntent, PERIOD_DAYS, readBalance, readTerms, shortageText } from './payment-terms.ts';
import type { SubscribeCaller } from './subscribe-caller.ts';
import type { SubscribeFlow, SubscribeView } from './use-subscribe.ts';

export interface ConfirmStepProps {
  caller: SubscribeCaller;
  view: Extract<SubscribeView, { step: 'confirm' }>;
  flow: SubscribeFlow;
  onDone: () => void;
}

/** Second step: what exactly leaves the wallet, to whom, for how long, and what happens next. */
export function ConfirmStep({ caller, view: { opened, isPreparing, problem, pending, isPaidElsewhere }, flow, onDone }: ConfirmStepProps) {
  const { address } = useWallet();
  const shortage = opened && shortageText(opened);
  return (
    <div className="space-y-4">
      {problem !== null && problem !== shortage && <Problem>{problem}</Problem>}
      {pending !== null ? (
        <Button variant="primary" className="w-full" onClick={() => void flow.resume()}>
          {pending.hasLanded ? 'Finish the subscription' : 'Check this payment again'}
        </Button>
      ) : isPaidElsewhere ? (
        <Button variant="primary" className="w-full" onClick={onDone}>
          Done
        </Button>
      ) : isPreparing ? (
        <SkeletonGroup label="Preparing the payment" className="space-y-3">
          <Skeleton className="h-48 w-full" />
          <Skeleton className="h-11 w-full" />
        </SkeletonGroup>
      ) : address === null ? (
        <Button variant="primary" className="w-full" onClick={flow.chooseWallet}>
          Connect a wallet again
        </Button>
      ) : opened?.payer !== address ? (
        // Nothing is prepared, or it is for an account that the wallet has left.
        <>
          {opened !== null && <p className="text-sm text-text-muted">Your wallet has changed to another account.</p>}
          <Button variant="primary" className="w-full" onClick={() => void flow.prepare()}>
            Prepare the payment again
          </Button>
        </>
      ) : (
        <Terms caller={caller} opened={opened} shortage={shortage} flow={flow} />
      )}
    </div>
  );
}

function Terms({ caller, opened, shortage, flow }: { caller: SubscribeCaller; opened: OpenedIntent; shortage: string | null; flow: SubscribeFlow }) {
  const { choices, walletId } = useWallet();
  const wallet = choices.find(({ id }) => id === walletId);
  const terms = readTerms(opened.answer.intent);
  const balance = readBalance(opened);
  const hasFeeChanged = parseSol(caller.monthlyFee ?? '0') !== terms.totalLamports;
  return (
    <>
      {hasFeeChanged && (
        <p role="alert" className="rounded-md bg-warn-soft p-3 text-sm text-warn">
          The fee changed since you opened this page. These are the terms now.
        </p>
      )}
      <PaymentLegs terms={terms} callerName={fullName(caller)} />
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-sm [&>dd]:text-right [&>dt]:text-text-muted">
        <dt>For</dt>
        <dd>{periodText({ opened, accessEndsAt: caller.accessEndsAt })}</dd>
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
        <dd>about {formatSol(BASE_NETWORK_FEE_LAMPORTS)} SOL on top; your wallet shows it</dd>
      </dl>
      <p className="text-sm text-text-muted">
        Next, your wallet asks you to sign. Access starts when the chain confirms, usually within seconds. It ends by itself: nothing is ever taken again without you.
      </p>
      <Button variant="ghost" className="w-full" onClick={flow.chooseWallet}>
        Use another wallet
      </Button>
      {/* It stays in sight while the terms are read: on a small phone they are longer than the screen. */}
      <div className="sticky -bottom-5 -mx-5 -mb-5 space-y-2 border-t border-line bg-surface-raised px-5 pt-3 pb-4 sm:rounded-b-md">
        {shortage !== null && <Problem>{shortage}</Problem>}
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" className="grow" disabled={shortage !== null} onClick={() => void flow.confirm()}>
            Pay {formatSolForDisplay(terms.totalLamports)} SOL
          </Button>
          {shortage !== null && (
            <Button className="grow" onClick={() => void flow.prepare()}>
              Check again
            </Button>
          )}
        </div>
      </div>
    </>
  );
}

function Problem({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="rounded-md border border-loss p-3 text-sm">
      {children}
    </p>
  );
}

/** What the payment gives: a period from now, or one more after the time that is left. */
function periodText({ opened, accessEndsAt }: { opened: OpenedIntent; accessEndsAt: string | null | undefined }): string {
  const paidUntil = accessEndsAt == null ? 0 : Date.parse(accessEndsAt);
  return paidUntil > opened.openedAt
    ? `${PERIOD_DAYS} days, added to what you have until ${dayOf(paidUntil)}`
    : `${PERIOD_DAYS} days, until ${dayOf(opened.openedAt + SUBSCRIPTION_PERIOD_MS)}`;
}

function dayOf(time: number): string {
  return new Date(time).toLocaleDateString('en-US', { dateStyle: 'medium' });
}

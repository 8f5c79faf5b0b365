import { formatSol, formatSolForDisplay, parseSol } from '#schema/rules/lamports.ts';
import { fullName } from '#web/lib/person.ts';
import { useWallet } from '#web/lib/wallets/wallet-provider.tsx';
import { Address } from '#web/ui/address.tsx';
import { Button } from '#web/ui/button.tsx';
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx';
import { PaymentLegs } from './payment-legs.tsx';
import { BASE_NETWORK_FEE_LAMPORTS, type OpenedIntent, PERIOD_DAYS, readTerms } from './payment-terms.ts';
import type { SubscribeCaller } from './subscribe-caller.ts';
import type { SubscribeFlow, SubscribeView } from './use-subscribe.ts';

export interface ConfirmStepProps {
  caller: SubscribeCaller;
  view: Extract<SubscribeView, { step: 'confirm' }>;
  flow: SubscribeFlow;
}

/** Second step: what exactly leaves the wallet, to whom, for how long, and what happens next. */
export function ConfirmStep({ caller, view: { opened, isPreparing, problem, pending }, flow }: ConfirmStepProps) {
  return (
    <div className="space-y-4">
      {problem !== null && (
        <p role="alert" className="rounded-md border border-loss p-3 text-sm">
          {problem}
        </p>
      )}
      {pending !== null ? (
        <Button variant="primary" className="w-full" onClick={() => void flow.resume()}>
          {pending.hasLanded ? 'Finish the subscription' : 'Check this payment again'}
        </Button>
      ) : isPreparing ? (
        <SkeletonGroup label="Preparing the payment" className="space-y-3">
          <Skeleton className="h-48 w-full" />
          <Skeleton className="h-11 w-full" />
        </SkeletonGroup>
      ) : opened === null ? (
        <Button variant="primary" className="w-full" onClick={() => void flow.prepare()}>
          Prepare the payment again
        </Button>
      ) : (
        <Terms caller={caller} opened={opened} flow={flow} />
      )}
    </div>
  );
}

function Terms({ caller, opened, flow }: { caller: SubscribeCaller; opened: OpenedIntent; flow: SubscribeFlow }) {
  const { address, choices, walletId } = useWallet();
  const wallet = choices.find(({ id }) => id === walletId);
  const terms = readTerms(opened.answer.intent);
  const hasFeeChanged = parseSol(caller.monthlyFee ?? '0') !== terms.totalLamports;
  if (address === null) {
    return (
      <Button variant="primary" className="w-full" onClick={flow.chooseWallet}>
        Connect a wallet again
      </Button>
    );
  }
  return (
    <>
      {hasFeeChanged && (
        <p role="alert" className="rounded-md bg-warn-soft p-3 text-sm text-warn">
          The fee changed since you opened this page. These are the terms now.
        </p>
      )}
      <PaymentLegs terms={terms} callerName={fullName(caller)} />
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-sm">
        <dt className="text-text-muted">From</dt>
        <dd className="text-right">
          {wallet?.name ?? 'Your wallet'} <Address value={address} label="wallet address" />
        </dd>
        <dt className="text-text-muted">For</dt>
        <dd className="text-right">{PERIOD_DAYS} days, added to paid time you still have</dd>
        <dt className="text-text-muted">Network fee</dt>
        <dd className="text-right">about {formatSol(BASE_NETWORK_FEE_LAMPORTS)} SOL on top; your wallet shows it</dd>
      </dl>
      <p className="text-sm text-text-muted">
        Next, your wallet asks you to sign. Access starts when the chain confirms, usually within seconds. It ends by itself: nothing is ever taken again without you.
      </p>
      <div className="flex flex-col gap-2">
        <Button variant="primary" onClick={() => void flow.confirm()}>
          Pay {formatSolForDisplay(terms.totalLamports)} SOL
        </Button>
        <Button variant="ghost" onClick={flow.chooseWallet}>
          Use another wallet
        </Button>
      </div>
    </>
  );
}

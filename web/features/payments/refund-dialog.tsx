import type { Receipt } from '#schema/contracts/payments.ts';
import { formatSolAmount } from '#schema/rules/text/format-amounts.ts';
import { ConnectedWallet } from '#web/lib/wallets/connected-wallet.tsx';
import { useConnectWallet } from '#web/lib/wallets/use-connect-wallet.ts';
import { useWallet } from '#web/lib/wallets/use-wallet.ts';
import { WalletList } from '#web/lib/wallets/wallet-list.tsx';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { PendingLine } from '#web/ui/charts/pending-line.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { ProblemNote } from '#web/ui/lists/problem-note.tsx';
import { ConfirmButtons } from '#web/ui/controls/confirm-buttons.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { RefundAmount } from './refund-amount.tsx';
import { useRefund } from './use-refund.ts';

const ENDS =
  'The paid period ends as soon as the refund is final. A later period of the same subscriber then starts at once.';

/** What the caller pays back now: what is owed unless the subscriber asks for the refund, or else what ends the period. */
function describeRefund({ left, owed, refundRequest }: Receipt): { amount: string; effect: string } {
  if (refundRequest !== null) return { amount: left, effect: `The subscriber asks for this refund. ${ENDS}` };
  if (owed !== null) {
    const effect =
      "You owe this for the time in which your account is deleted. The subscriber's period goes on.";
    return { amount: owed, effect };
  }
  const why = 'Nobody has asked for this refund, so it includes the commission, which you pay yourself.';
  return { amount: left, effect: `${why} ${ENDS}` };
}

export function RefundDialog({ receipt, ...dialog }: LazyDialogProps & { receipt: Receipt }) {
  const refund = useRefund(receipt);
  const { step } = refund.state;
  const { amount, effect } = describeRefund(receipt);
  return (
    <Dialog
      {...dialog}
      isBusy={step === 'signing'}
      keepsHeight
      title="Refund this payment"
      description={`We don't return the commission of ${formatSolAmount(receipt.platformAmount)} SOL.`}
    >
      <div className="space-y-4 text-sm">
        {step !== 'done' && (
          <>
            <RefundAmount label="You send" amount={amount} payerAddress={receipt.payerAddress} />
            <p className="text-text-muted">{effect}</p>
          </>
        )}
        <RefundStepView amount={amount} refund={refund} onClose={() => dialog.onOpenChange(false)} />
      </div>
    </Dialog>
  );
}

interface RefundStepProps {
  amount: string;
  refund: ReturnType<typeof useRefund>;
  onClose: () => void;
}

function RefundStepView({ amount, refund, onClose }: RefundStepProps) {
  const { state, start, wait } = refund;
  const { address } = useWallet();
  if (state.step === 'done') {
    return (
      <div className="space-y-4">
        <p role="status" className="font-medium">
          Refunded. The receipt shows the transaction.
        </p>
        <Button className="w-full" onClick={onClose}>
          Close
        </Button>
      </div>
    );
  }
  if (state.step === 'waiting') {
    return (
      <p role="status" className="flex items-center gap-3">
        <PendingLine /> Waiting until the refund is final on Solana, usually less than a minute. You can close
        this tab: we look for it for a day.
      </p>
    );
  }
  if (state.step === 'unfound') {
    return (
      <div className="space-y-4">
        {state.problem !== null && <ProblemNote>{state.problem}</ProblemNote>}
        <Button className="w-full" onClick={() => void wait()}>
          Check again
        </Button>
      </div>
    );
  }
  if (address === null) return <ChooseWallet />;
  return (
    <div className="space-y-4">
      <ConnectedWallet />
      {state.problem !== null && <ProblemNote>{state.problem}</ProblemNote>}
      <ConfirmButtons
        confirmLabel={`Refund ${formatSolAmount(amount)} SOL`}
        pendingText="Sign in your wallet..."
        isPending={state.step === 'signing'}
        onConfirm={() => void start(amount)}
        cancelLabel="Cancel"
        onCancel={onClose}
      />
    </div>
  );
}

function ChooseWallet() {
  const connectWallet = useConnectWallet();
  return (
    <div className="space-y-3">
      <p>Connect the wallet that was paid, or another one that you have verified here.</p>
      <WalletList
        useLabel="Use this wallet"
        onUse={() => undefined}
        onPick={(walletId) => void connectWallet(walletId)}
      />
    </div>
  );
}

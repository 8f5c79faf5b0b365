import type { Receipt } from '#schema/contracts/payments.ts';
import { formatSolAmount } from '#schema/rules/text/format-amounts.ts';
import { AmountRow } from '#web/lib/money/amount-row.tsx';
import { ConnectedWallet } from '#web/lib/wallets/connected-wallet.tsx';
import { useConnectWallet } from '#web/lib/wallets/use-connect-wallet.ts';
import { useWallet } from '#web/lib/wallets/use-wallet.ts';
import { WalletList } from '#web/lib/wallets/wallet-list.tsx';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { PendingLine } from '#web/ui/charts/pending-line.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Address } from '#web/ui/figures/address.tsx';
import { ProblemNote } from '#web/ui/lists/problem-note.tsx';
import { ConfirmButtons } from '#web/ui/controls/confirm-buttons.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { useRefund } from './use-refund.ts';

export function RefundDialog({ receipt, ...dialog }: LazyDialogProps & { receipt: Receipt }) {
  const refund = useRefund(receipt);
  const { step } = refund.state;
  return (
    <Dialog
      {...dialog}
      isBusy={step === 'signing'}
      keepsHeight
      title="Refund this payment"
      description={`You pay your share back. The commission of ${formatSolAmount(receipt.platformAmount)} SOL isn't returned.`}
    >
      <div className="space-y-4 text-sm">
        <RefundAmount receipt={receipt} />
        {step !== 'done' && (
          <p className="text-text-muted">
            The paid period ends as soon as the refund is final. A later period of the same subscriber then
            starts at once.
            {receipt.refunds.length > 0 && " What you have refunded so far isn't deducted."}
          </p>
        )}
        <RefundStepView receipt={receipt} refund={refund} onClose={() => dialog.onOpenChange(false)} />
      </div>
    </Dialog>
  );
}

function RefundAmount({ receipt: { callerAmount, callerAddress, payerAddress } }: { receipt: Receipt }) {
  return (
    <dl aria-label="Refund" className="divide-y divide-line rounded-md border border-line">
      <AmountRow label="You send" amount={formatSolAmount(callerAmount)} isTotal>
        <span className="text-text-muted">to the wallet that paid</span>
        <Address value={payerAddress} label="address of the payer" isFull />
        <span className="mt-2 block text-text-muted">from your wallet that was paid</span>
        <Address value={callerAddress} label="address of your wallet" isFull />
      </AmountRow>
    </dl>
  );
}

interface RefundStepProps {
  receipt: Receipt;
  refund: ReturnType<typeof useRefund>;
  onClose: () => void;
}

function RefundStepView({ receipt, refund, onClose }: RefundStepProps) {
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
  if (address !== receipt.callerAddress) {
    return (
      <div className="space-y-4">
        <ProblemNote>
          This wallet isn't the one that was paid. Disconnect it, or choose the other account in it.
        </ProblemNote>
        <ConnectedWallet />
      </div>
    );
  }
  return (
    <div className="space-y-4">
      <ConnectedWallet />
      {state.problem !== null && <ProblemNote>{state.problem}</ProblemNote>}
      <ConfirmButtons
        confirmLabel={`Refund ${formatSolAmount(receipt.callerAmount)} SOL`}
        pendingText="Sign in your wallet..."
        isPending={state.step === 'signing'}
        onConfirm={() => void start()}
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
      <p>Connect the wallet that was paid.</p>
      <WalletList
        useLabel="Use this wallet"
        onUse={() => undefined}
        onPick={(walletId) => void connectWallet(walletId)}
      />
    </div>
  );
}

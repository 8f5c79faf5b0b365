import type { Receipt } from '#schema/contracts/payments.ts';
import { formatSolAmount } from '#schema/rules/text/format-amounts.ts';
import { useConnectWallet } from '#web/lib/wallets/use-wallet.ts';
import { WalletList } from '#web/lib/wallets/wallet-list.tsx';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { ProblemNote } from '#web/ui/lists/problem-note.tsx';
import { PendingLine } from '#web/ui/charts/pending-line.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { RefundAmount } from './refund-amount.tsx';
import { useRefund } from './use-refund.ts';

const ENDS =
  'The paid period ends as soon as the refund is final. A later period of the same subscriber then starts at once.';

/** The amount that the caller pays back now: what is owed unless the subscriber asks for the refund, or else what ends the period. */
function describeRefund({ left, owed, platformAmount, refundRequest }: Receipt) {
  const commission = `the commission of ${formatSolAmount(platformAmount)} SOL`;
  const description = `We don't return ${commission}.`;
  if (refundRequest !== null) {
    return { amount: left, description, effect: `The subscriber asks for this refund. ${ENDS}` };
  }
  if (owed !== null) {
    const effect =
      "You owe this for the time in which your account is deleted. The subscriber's period goes on.";
    return { amount: owed, description, effect };
  }
  const why = `Nobody has asked for this refund, so you pay ${commission} back, too. We don't return it to you.`;
  return { amount: left, description: why, effect: ENDS };
}

export function RefundDialog({ receipt, ...dialog }: LazyDialogProps & { receipt: Receipt }) {
  const { start, isPending, problem } = useRefund(receipt, () => {
    toast(SENT);
    dialog.onOpenChange(false);
  });
  const connectWallet = useConnectWallet();
  const { amount, description, effect } = describeRefund(receipt);
  return (
    <Dialog {...dialog} isBusy={isPending} title="Refund this payment" description={description}>
      <div className="space-y-4 text-sm">
        <RefundAmount label="You send" amount={amount} payerAddress={receipt.payerAddress} />
        <p className="text-text-muted">{effect}</p>
        <p>Use the wallet that was paid, or another one that you have verified here.</p>
        {problem !== null && <ProblemNote>{problem}</ProblemNote>}
        {isPending ? (
          <p role="status" className="flex items-center gap-3">
            <PendingLine /> Sign in your wallet...
          </p>
        ) : (
          <WalletList
            useLabel={`Refund ${formatSolAmount(amount)} SOL`}
            onUse={() => start(amount)}
            onPick={(walletId) => void connectWallet(walletId)}
          />
        )}
      </div>
    </Dialog>
  );
}

const SENT = {
  title: 'Waiting for Solana',
  description:
    'The receipt shows the refund once it is final, usually within two minutes. Check your wallet before you send another one.',
};

import { useState } from 'react';
import type { Receipt } from '#schema/contracts/payments.ts';
import { formatSol, parseSol } from '#schema/rules/money/lamports.ts';
import { formatSolAmount } from '#schema/rules/text/format-amounts.ts';
import { ConnectedWallet } from '#web/lib/wallets/connected-wallet.tsx';
import { useConnectWallet } from '#web/lib/wallets/use-connect-wallet.ts';
import { useWallet } from '#web/lib/wallets/use-wallet.ts';
import { WalletList } from '#web/lib/wallets/wallet-list.tsx';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { PendingLine } from '#web/ui/charts/pending-line.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { ProblemNote } from '#web/ui/lists/problem-note.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { ConfirmButtons } from '#web/ui/controls/confirm-buttons.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { RefundAmount } from './refund-amount.tsx';
import { useRefund } from './use-refund.ts';

interface AmountChoice {
  readonly lamports: bigint;
  readonly label: string;
  readonly effect: string;
}

const ENDS =
  'ends as soon as the refund is final. A later period of the same subscriber then starts at once.';

/** The amounts that make sense: what the subscriber has asked for, or else what is owed, the share and everything. */
function listChoices({ callerAmount, totalAmount, paidBack, owed, refundRequest }: Receipt): AmountChoice[] {
  const rest = (amount: string) => (parseSol(amount) ?? 0n) - (parseSol(paidBack) ?? 0n);
  const share = rest(callerAmount);
  if (refundRequest !== null) {
    return [
      {
        lamports: share,
        label: 'Your share',
        effect: `The subscriber asks for this refund. The paid period ${ENDS}`,
      },
    ];
  }
  const stays = "Nobody has asked for this refund, so the subscriber's period goes on.";
  const owedLamports = owed === null ? 0n : (parseSol(owed) ?? 0n);
  return [
    { lamports: owedLamports, label: 'What you owe', effect: stays },
    { lamports: share, label: 'Your share', effect: stays },
    {
      lamports: rest(totalAmount),
      label: 'Everything that was paid',
      effect: `This includes the commission, which you pay yourself, so that nobody loses access at their own cost. The paid period ${ENDS}`,
    },
  ].filter(({ lamports }) => lamports > 0n);
}

export function RefundDialog({ receipt, ...dialog }: LazyDialogProps & { receipt: Receipt }) {
  const refund = useRefund(receipt);
  const { step } = refund.state;
  const choices = listChoices(receipt);
  const [label, setLabel] = useState<string>();
  const choice = choices.find((each) => each.label === label) ?? choices[0];
  return (
    <Dialog
      {...dialog}
      isBusy={step === 'signing'}
      keepsHeight
      title="Refund this payment"
      description={`We don't return the commission of ${formatSolAmount(receipt.platformAmount)} SOL.`}
    >
      <div className="space-y-4 text-sm">
        {choice && step !== 'done' && (
          <>
            {choices.length > 1 && (
              <Field label="Amount">
                <Select
                  value={choice.label}
                  onValueChange={setLabel}
                  disabled={step !== 'ready'}
                  options={choices.map((each) => ({
                    value: each.label,
                    label: `${each.label}: ${formatSolAmount(formatSol(each.lamports))} SOL`,
                  }))}
                />
              </Field>
            )}
            <RefundAmount
              label="You send"
              amount={formatSol(choice.lamports)}
              payerAddress={receipt.payerAddress}
            />
            <p className="text-text-muted">{choice.effect}</p>
          </>
        )}
        <RefundStepView
          lamports={choice?.lamports ?? 0n}
          refund={refund}
          onClose={() => dialog.onOpenChange(false)}
        />
      </div>
    </Dialog>
  );
}

interface RefundStepProps {
  lamports: bigint;
  refund: ReturnType<typeof useRefund>;
  onClose: () => void;
}

function RefundStepView({ lamports, refund, onClose }: RefundStepProps) {
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
        confirmLabel={`Refund ${formatSolAmount(formatSol(lamports))} SOL`}
        pendingText="Sign in your wallet..."
        isPending={state.step === 'signing'}
        onConfirm={() => void start(lamports)}
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

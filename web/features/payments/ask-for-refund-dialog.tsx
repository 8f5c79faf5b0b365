import { useMutation } from '@tanstack/react-query';
import type { Receipt } from '#schema/contracts/payments.ts';
import { formatSolAmount } from '#schema/rules/text/format-amounts.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { requestRefundMutation } from '#web/api/payments.queries.ts';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { ConfirmButtons } from '#web/ui/controls/confirm-buttons.tsx';
import { ProblemNote } from '#web/ui/lists/problem-note.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { RefundAmount } from './refund-amount.tsx';

/** A subscriber asks for a refund of a payment. */
export function AskForRefundDialog({ receipt, ...dialog }: LazyDialogProps & { receipt: Receipt }) {
  const request = useMutation(requestRefundMutation(receipt.signature));
  const close = () => dialog.onOpenChange(false);
  const isPaidBack = Number(receipt.earned) === 0;
  return (
    <Dialog {...dialog} isBusy={request.isPending} title="Ask for a refund">
      <div className="space-y-4 text-sm">
        {isPaidBack ? (
          <p>You have already been paid back; asking ends this period now.</p>
        ) : (
          <>
            <p>
              We ask <bdi>{fullName(receipt.caller)}</bdi> to pay their share back. They decide. Once they
              have paid it, this period ends. The commission of {formatSolAmount(receipt.platformAmount)} SOL
              isn't returned. You can take the request back until they open it.
            </p>
            <RefundAmount label="You get" amount={receipt.earned} payerAddress={receipt.payerAddress} />
          </>
        )}
        {request.isError && <ProblemNote>{reasonOf(request.error, "Couldn't ask. Try again.")}</ProblemNote>}
        <ConfirmButtons
          confirmLabel={isPaidBack ? 'End this period' : 'Ask for a refund'}
          pendingText="Asking..."
          isPending={request.isPending}
          onConfirm={() => request.mutate(true, { onSuccess: close })}
          onCancel={close}
        />
      </div>
    </Dialog>
  );
}

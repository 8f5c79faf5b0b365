import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_PRICE_DEVIATION_PERCENT } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrice } from '#schema/contracts/prices.ts';
import { formatChange, formatPrice } from '#schema/rules/format.ts';
import { changePercent } from '#schema/rules/performance.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { endCallMutation } from '#web/api/calls.mutations.ts';
import { Button } from '#web/ui/button.tsx';
import { Change } from '#web/ui/change.tsx';
import { CurrentPrice } from '#web/ui/current-price.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Price } from '#web/ui/price.tsx';
import { useToast } from '#web/ui/toast.tsx';

export interface EndCallDialogProps {
  /** The call that is about to end; `null` closes the dialog. */
  call: TokenCall | null;
  /** What the token costs now, as far as the page knows. */
  price: ShownPrice | undefined;
  onClose: () => void;
}

/** Asks once more before a call ends: what is recorded, from where, and that it stays so. */
export function EndCallDialog({ call, price, onClose }: EndCallDialogProps) {
  // While the dialog fades away it still shows the call it was about.
  const [lastCall, setLastCall] = useState(call);
  if (call !== null && call !== lastCall) setLastCall(call);
  const shown = call ?? lastCall;
  return (
    <Dialog
      open={call !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`End your call of ${shown?.tokenSymbol ?? ''}?`}
    >
      {shown && <EndCall call={shown} price={price} onClose={onClose} />}
    </Dialog>
  );
}

function EndCall({
  call,
  price,
  onClose,
}: {
  call: TokenCall;
  price: ShownPrice | undefined;
  onClose: () => void;
}) {
  const { toast } = useToast();
  const endCall = useMutation(endCallMutation(useQueryClient()));
  const end = async () => {
    try {
      const ended = await endCall.mutateAsync(call.id);
      const result =
        ended.endPrice === undefined
          ? ''
          : ` at $${formatPrice(ended.endPrice)}, ${formatChange(changePercent(ended.entryPrice, ended.endPrice))}`;
      toast({ title: 'Call Ended', description: `${ended.tokenSymbol} ended${result}.` });
      onClose();
    } catch (error) {
      toast({
        title: 'Error',
        description: reasonOf(error, 'Failed to end token call - could not fetch current price'),
        variant: 'destructive',
      });
    }
  };
  return (
    <div className="space-y-4">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm [&>dd]:text-right [&>dt]:text-text-muted">
        <dt>Entry price</dt>
        <dd>
          <Price value={call.entryPrice} />
        </dd>
        <dt>Price now</dt>
        <dd>
          <CurrentPrice price={price} />
        </dd>
        <dt>Change now</dt>
        <dd>
          <Change
            percent={price === undefined ? null : changePercent(call.entryPrice, price.price)}
            className="text-lg font-semibold"
          />
        </dd>
      </dl>
      <p className="text-sm">
        Our server fetches the market price from Jupiter and DexScreener at the moment you confirm. That price
        is recorded as the end price; it may differ from the one above.
      </p>
      <p className="text-sm text-text-muted">
        The result counts in your win rate and average return and stays on your public record. This cannot be
        undone. If the two sources are over {MAX_PRICE_DEVIATION_PERCENT}% apart, nothing is recorded and the
        call stays active.
      </p>
      <div className="flex gap-2">
        <Button
          variant="destructive"
          className="flex-1"
          isPending={endCall.isPending}
          pendingText="Ending..."
          onClick={() => void end()}
        >
          End call
        </Button>
        <Button className="flex-1" disabled={endCall.isPending} onClick={onClose}>
          Keep it active
        </Button>
      </div>
    </div>
  );
}

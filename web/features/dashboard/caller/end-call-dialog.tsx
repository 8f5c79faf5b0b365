import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { MIN_COUNTED_HOLD_MS } from '#schema/constants/market.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { shortHoldNote } from '#schema/rules/calls/ranking-texts.ts';
import { firstWholeMinute } from '#schema/rules/text/format-durations.ts';
import { formatChange } from '#schema/rules/text/format.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { changePercent, changeSinceEntry } from '#schema/rules/calls/change-percent.ts';
import { ALL_PRICE_SOURCES } from '#schema/rules/prices/price-source-names.ts';
import { hasCode } from '#web/api/api-error.ts';
import { endCallMutation } from '#web/api/calls.mutations.ts';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { showError } from '#web/lib/page/show-error.ts';
import { Change } from '#web/ui/figures/change.tsx';
import { ConfirmButtons } from '#web/ui/controls/confirm-buttons.tsx';
import { CurrentPrice } from '#web/ui/figures/current-price.tsx';
import { Fact, FactList } from '#web/ui/lists/facts.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Price } from '#web/ui/figures/price.tsx';
import { formatClock } from '#web/lib/text/dates.ts';
import { useNow } from '#web/ui/figures/use-now.ts';
import { useLastCall } from './use-last-call.ts';

export interface EndCallDialogProps extends LazyDialogProps {
  /** The call to end. Once it isn't active any more (null), the dialog shows its last state and price. */
  call: TokenCall | null;
}

export function EndCallDialog({ call, ...dialog }: EndCallDialogProps) {
  const shown = useLastCall(call);
  return (
    <Dialog {...dialog} title={`End your ${shown?.tokenSymbol ?? ''} call?`}>
      {shown && <EndCall call={shown} onClose={() => dialog.onOpenChange(false)} />}
    </Dialog>
  );
}

function EndCall({ call, onClose }: { call: TokenCall; onClose: () => void }) {
  const endCall = useMutation(endCallMutation);
  const [warning, setWarning] = useState<string | null>(null);
  const ref = useRef<HTMLDivElement>(null);
  const end = async () => {
    try {
      const ended = await endCall.mutateAsync({ id: call.id, isOnlyIfCounted: warning === null });
      toast({ title: 'Call Ended', description: `${ended.tokenSymbol} ended${describeResult(ended)}.` });
      // The user may have closed this dialog and opened the dialog of another call.
      if (ref.current) onClose();
    } catch (error) {
      if (hasCode(error, 'calls.gain_not_counted')) {
        if (ref.current) return setWarning(error.reason);
        return toast({ title: STILL_ACTIVE, description: error.reason ?? undefined });
      }
      showError(error, 'Failed to end token call - could not fetch current price');
    }
  };
  return (
    <div ref={ref} className="space-y-4">
      <FactList>
        <Fact name="Entry price" value={<Price value={call.entryPrice} />} />
        <Fact name="Current price" value={<CurrentPrice price={call.lastPrice} />} />
        <Fact
          name="Change"
          value={<Change percent={changeSinceEntry(call)} className="text-lg font-semibold" />}
        />
      </FactList>
      <p className="text-sm">
        When you confirm, we record the market price from {ALL_PRICE_SOURCES} as the end price. It may differ
        from the one above, and it cannot be undone. If a gain wouldn't count, we tell you first.
      </p>
      {warning === null ? (
        <ShortHoldNote call={call} />
      ) : (
        <p role="alert" className={noteClassName}>
          <span className="font-medium text-warn">{STILL_ACTIVE}.</span> {warning}
        </p>
      )}
      <ConfirmButtons
        confirmLabel={warning === null ? 'End call' : 'End anyway'}
        pendingText="Ending..."
        isPending={endCall.isPending}
        onConfirm={() => void end()}
        cancelLabel="Keep call active"
        onCancel={onClose}
      />
    </div>
  );
}

const STILL_ACTIVE = 'The call is still active';
const noteClassName = 'rounded-md border border-warn p-3 text-sm';

function ShortHoldNote({ call }: { call: TokenCall }) {
  const countsFrom = Date.parse(call.callTimestamp) + MIN_COUNTED_HOLD_MS;
  const now = useNow(countsFrom);
  if (call.unrankedReason !== null || now >= countsFrom) return null;
  return (
    <p role="note" className={noteClassName}>
      {shortHoldNote(formatClock(firstWholeMinute(countsFrom)))}
    </p>
  );
}

function describeResult({ entryPrice, endPrice }: TokenCall): string {
  if (endPrice === undefined) return '';
  return ` at $${formatPrice(endPrice)}, ${formatChange(changePercent(entryPrice, endPrice))}`;
}

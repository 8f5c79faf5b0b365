import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import type { PaperFollow } from '#schema/contracts/paper-follows.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { formatUsd } from '#schema/rules/text/format.ts';
import { paperFollowsQuery } from '#web/api/paper-follows.queries.ts';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { Button, type ButtonProps } from '#web/ui/controls/button.tsx';

const PaperDialog = lazyDialog(async () => (await import('./paper-dialog.tsx')).PaperDialog);

/** The button on a profile. It says how the user follows the caller already. */
export function PaperButton({ caller, isSignedIn }: { caller: CallerSummary; isSignedIn: boolean }) {
  const { data: follows } = useQuery({ ...paperFollowsQuery, enabled: isSignedIn });
  const follow = follows?.find((each) => each.caller.id === caller.id);
  return (
    <DialogButton caller={caller} follow={follow} isSignedIn={isSignedIn}>
      {labelOf(follow)}
    </DialogButton>
  );
}

/** The button of a row in the portfolio. */
export function ChangeButton({ follow }: { follow: PaperFollow }) {
  const { caller } = follow;
  return (
    <DialogButton
      caller={caller}
      follow={follow}
      isSignedIn
      size="sm"
      aria-label={`Change ${fullName(caller)}`}
    >
      Change
    </DialogButton>
  );
}

interface DialogButtonProps extends ButtonProps {
  caller: CallerSummary;
  follow: PaperFollow | undefined;
  isSignedIn: boolean;
}

function DialogButton({ caller, follow, isSignedIn, ...rest }: DialogButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="ghost" onClick={() => setIsOpen(true)} {...rest} />
      <PaperDialog
        open={isOpen}
        onOpenChange={setIsOpen}
        caller={caller}
        follow={follow}
        isSignedIn={isSignedIn}
      />
    </>
  );
}

function labelOf(follow: PaperFollow | undefined): string {
  if (!follow) return 'Follow on paper';
  return follow.amountUsd === null ? 'Watching' : `On paper: ${formatUsd(follow.amountUsd)}`;
}

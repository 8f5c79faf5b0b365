import { useState } from 'react';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { Button, type ButtonProps } from '#web/ui/controls/button.tsx';

const RecordDialog = lazyDialog(async () => (await import('./record-dialog.tsx')).RecordDialog);

interface VerifyRecordProps extends ButtonProps {
  callerId: string;
  /** A receipt whose entry must be in the log. */
  receipt?: string;
}

/** A button that checks a caller's record in the browser. The verifier loads when the button is pressed. */
export function VerifyRecord({ callerId, receipt, ...button }: VerifyRecordProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="ghost" {...button} onClick={() => setIsOpen(true)} />
      <RecordDialog open={isOpen} onOpenChange={setIsOpen} callerId={callerId} receipt={receipt} />
    </>
  );
}

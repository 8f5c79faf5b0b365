import { Flag } from '#web/ui/icons.tsx';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { Button } from '#web/ui/controls/button.tsx';
import type { ReportedSubject } from './report-dialog.tsx';

const ReportDialog = lazyDialog(async () => (await import('./report-dialog.tsx')).ReportDialog);

export interface ReportButtonProps {
  subject: ReportedSubject;
  isSignedIn: boolean;
  isOperator: boolean;
  isCompact?: boolean;
}

export function ReportButton({ subject, isSignedIn, isOperator, isCompact = false }: ReportButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOperator) {
    return (
      <Link to="/operators" search={{ search: subject.id }} className={buttonClassName({ variant: 'ghost' })}>
        Operators
      </Link>
    );
  }
  return (
    <>
      <Button
        variant="ghost"
        size={isCompact ? 'icon' : 'md'}
        className={isCompact ? '-my-3 text-text-muted' : undefined}
        aria-label={`Report ${subject.name}`}
        onClick={() => setIsOpen(true)}
      >
        <Flag size={16} />
        {!isCompact && 'Report'}
      </Button>
      <ReportDialog open={isOpen} onOpenChange={setIsOpen} subject={subject} isSignedIn={isSignedIn} />
    </>
  );
}

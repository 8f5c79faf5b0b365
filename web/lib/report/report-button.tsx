import { useQuery } from '@tanstack/react-query';
import { Flag } from '#web/ui/icons.tsx';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { Button } from '#web/ui/controls/button.tsx';
import type { ReportedSubject } from './report-dialog.tsx';

const ReportDialog = lazyDialog(async () => (await import('./report-dialog.tsx')).ReportDialog);

export interface ReportButtonProps {
  subject: ReportedSubject;
  isCompact?: boolean;
}

/** For operators, a link to the subject in the console instead, if there is room. */
export function ReportButton({ subject, isCompact = false }: ReportButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const isOperator = useQuery(currentUserQuery).data?.isOperator === true;
  if (isOperator && isCompact) return null;
  if (isOperator) {
    return (
      <Link
        to="/operators/$kind/$id"
        params={{ kind: subject.kind === 'caller' ? 'person' : 'call', id: subject.id }}
        className={buttonClassName({ variant: 'ghost' })}
      >
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
      <ReportDialog open={isOpen} onOpenChange={setIsOpen} subject={subject} />
    </>
  );
}

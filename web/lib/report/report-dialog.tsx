import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { REPORT_REASONS, REPORT_TEXT_MAX_LENGTH } from '#schema/constants/people.ts';
import type { ReportBody } from '#schema/contracts/reports.ts';
import { reportMutation } from '#web/api/reports.mutations.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { SignInFirst } from '#web/lib/session/sign-in-link.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { Textarea } from '#web/ui/controls/textarea.tsx';

type Reason = (typeof REPORT_REASONS)[number];

export const REASON_LABELS: Readonly<Record<Reason, string>> = {
  impersonation: 'Pretends to be somebody else',
  scam: 'Scam or fraud',
  paid_promotion: 'Paid promotion that is not disclosed',
  abuse: 'Insults, threats or hate',
  other: 'Something else',
};

export interface ReportedSubject extends Pick<ReportBody, 'kind' | 'id'> {
  /** The subject of the report, such as 'this caller'. */
  readonly name: string;
}

export function ReportDialog({ subject, ...dialog }: LazyDialogProps & { subject: ReportedSubject }) {
  const { data: user } = useQuery(currentUserQuery);
  return (
    <Dialog {...dialog} title={`Report ${subject.name}`} description="Only our operators see your report.">
      {user ? (
        <ReportForm subject={subject} onDone={() => dialog.onOpenChange(false)} />
      ) : (
        <SignInFirst purpose="report this" />
      )}
    </Dialog>
  );
}

function ReportForm({ subject, onDone }: { subject: ReportedSubject; onDone: () => void }) {
  const [reason, setReason] = useState<Reason | ''>('');
  const [hasTried, setHasTried] = useState(false);
  const [text, setText] = useState('');
  const report = useMutation({
    ...reportMutation,
    onSuccess: ({ isNew, message }) => {
      toast({ title: isNew ? 'Report Sent' : 'Already Reported', description: message });
      onDone();
    },
    onError: (error) => showError(error, 'Failed to send your report'),
  });
  const send = () => {
    setHasTried(true);
    if (reason !== '') report.mutate({ kind: subject.kind, id: subject.id, reason, ...(text && { text }) });
  };
  return (
    <div className="space-y-4">
      <Field label="Reason" error={hasTried && reason === '' && 'Choose a reason.'}>
        <Select<Reason | ''>
          value={reason}
          onValueChange={setReason}
          options={[
            { value: '', label: 'Choose a reason' },
            ...REPORT_REASONS.map((value) => ({ value, label: REASON_LABELS[value] })),
          ]}
        />
      </Field>
      <Field label="Details" hint="Optional. What should we look at?">
        <Textarea
          value={text}
          maxLength={REPORT_TEXT_MAX_LENGTH}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button
        variant="primary"
        className="w-full"
        isPending={report.isPending}
        pendingText="Sending..."
        onClick={send}
      >
        Send report
      </Button>
    </div>
  );
}

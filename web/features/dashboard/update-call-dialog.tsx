import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { UPDATE_MESSAGE_MAX_LENGTH } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { readUpdateMessage } from '#schema/rules/telegram.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { sendUpdateMutation } from '#web/api/telegram.mutations.ts';
import { countOf } from '#schema/rules/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { useToast } from '#web/ui/toast.tsx';

export interface UpdateCallDialogProps {
  /** The call to tell something about; `null` closes the dialog. */
  call: TokenCall | null;
  onClose: () => void;
}

/** Writes to the followers of a call. What was typed stays when the dialog is closed before it was sent. */
export function UpdateCallDialog({ call, onClose }: UpdateCallDialogProps) {
  // While the dialog fades away it still shows the call it was about.
  const [lastCall, setLastCall] = useState(call);
  if (call !== null && call !== lastCall) setLastCall(call);
  const shown = call ?? lastCall;
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({});
  return (
    <Dialog
      open={call !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Update on ${shown?.tokenSymbol ?? ''}`}
      description="It goes at once to everyone who subscribes to you now and has connected Telegram. It cannot be taken back."
    >
      {shown && (
        <UpdateForm
          key={shown.id}
          callId={shown.id}
          draft={drafts[shown.id] ?? ''}
          onDraft={(text) => setDrafts((others) => ({ ...others, [shown.id]: text }))}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface UpdateFormProps {
  callId: string;
  draft: string;
  onDraft: (text: string) => void;
  onClose: () => void;
}

function UpdateForm({ callId, draft, onDraft, onClose }: UpdateFormProps) {
  const { toast } = useToast();
  const [hasTried, setHasTried] = useState(false);
  const sendUpdate = useMutation(sendUpdateMutation(useQueryClient()));
  const { text, length, problem } = readUpdateMessage(draft);
  const isTooLong = length > UPDATE_MESSAGE_MAX_LENGTH;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (sendUpdate.isPending) return;
    setHasTried(true);
    if (problem !== null) return;
    try {
      const { recipients } = await sendUpdate.mutateAsync({ callId, message: text });
      const reached =
        recipients === 0 ? 'none of them gets updates there yet' : countOf(recipients, 'recipient');
      toast({
        title: 'Update Sent',
        description: `Your update was sent to all subscribers via Telegram: ${reached}.`,
      });
      onDraft('');
      onClose();
    } catch (error) {
      toast({
        title: 'Error',
        description: reasonOf(error, 'Failed to send update to subscribers'),
        variant: 'destructive',
      });
    }
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Field
        label="Message"
        hint={
          <span
            className={isTooLong ? 'figures text-loss' : 'figures'}
          >{`${length}/${UPDATE_MESSAGE_MAX_LENGTH}`}</span>
        }
        error={(hasTried || isTooLong) && problem}
      >
        <Textarea
          rows={7}
          dir="auto"
          value={draft}
          placeholder="What should your subscribers know?"
          onChange={(event) => {
            onDraft(event.target.value);
            setHasTried(false);
          }}
        />
      </Field>
      <div className="mt-5 flex justify-end gap-3">
        <Button variant="ghost" disabled={sendUpdate.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant="primary"
          disabled={isTooLong}
          isPending={sendUpdate.isPending}
          pendingText="Sending..."
        >
          Send
        </Button>
      </div>
    </form>
  );
}

import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { UPDATE_MESSAGE_MAX_LENGTH } from '#schema/constants/messages.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { SendUpdateResponse } from '#schema/contracts/notifications.ts';
import { describeReach } from '#schema/rules/text/reach.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import { readUpdateMessage } from '#schema/rules/people/telegram.ts';
import { sendUpdateMutation } from '#web/api/telegram.queries.ts';
import { useDraft } from '#web/lib/session/drafts.ts';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { showError } from '#web/lib/page/show-error.ts';
import { ConfirmButtons } from '#web/ui/controls/confirm-buttons.tsx';
import { CharacterCount } from '#web/ui/controls/character-count.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Textarea } from '#web/ui/controls/textarea.tsx';
import { useLastCall } from './use-last-call.ts';

export interface UpdateCallDialogProps extends LazyDialogProps {
  call: TokenCall | null;
}

export function UpdateCallDialog({ call, ...dialog }: UpdateCallDialogProps) {
  const shown = useLastCall(call);
  return (
    <Dialog
      {...dialog}
      title={`Send an update on ${shown?.tokenSymbol ?? ''}`}
      description="It goes right away to every current subscriber who has connected Telegram. You can't unsend it."
    >
      {shown && <UpdateForm key={shown.id} callId={shown.id} onClose={() => dialog.onOpenChange(false)} />}
    </Dialog>
  );
}

function UpdateForm({ callId, onClose }: { callId: string; onClose: () => void }) {
  const draft = useDraft(`update.${callId}`, '');
  const [isSubmitted, setIsSubmitted] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);
  const sendUpdate = useMutation(sendUpdateMutation);
  const { text, length, problem } = readUpdateMessage(draft.value);
  const isTooLong = length > UPDATE_MESSAGE_MAX_LENGTH;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (sendUpdate.isPending) return;
    setIsSubmitted(true);
    if (problem !== null) return;
    try {
      const sent = await sendUpdate.mutateAsync({ callId, message: text });
      toast(sentToast(sent));
      draft.drop();
      // The user may have closed this dialog and opened the dialog of another call.
      if (formRef.current) onClose();
    } catch (error) {
      showError(error, 'Failed to send update to subscribers');
    }
  };

  return (
    <form ref={formRef} noValidate className="space-y-5" onSubmit={(event) => void submit(event)}>
      <Field
        label="Message"
        hint={<CharacterCount length={length} max={UPDATE_MESSAGE_MAX_LENGTH} />}
        error={(isSubmitted || isTooLong) && problem}
      >
        <Textarea
          rows={7}
          dir="auto"
          value={draft.value}
          placeholder="What should your subscribers know?"
          onChange={(event) => {
            draft.change(event.target.value);
            setIsSubmitted(false);
          }}
        />
      </Field>
      <ConfirmButtons
        confirmLabel="Send"
        pendingText="Sending..."
        isPending={sendUpdate.isPending}
        isDisabled={isTooLong}
        onCancel={onClose}
      />
    </form>
  );
}

function sentToast({ recipients, chats }: SendUpdateResponse) {
  if (recipients === 0 && chats.length === 0) {
    return { title: 'Update Saved', description: 'Saved. No subscriber gets updates on Telegram yet.' };
  }
  const sent = 'Your update was sent to all subscribers via Telegram';
  if (chats.length > 0) {
    return { title: 'Update Sent', description: `${sent}: ${describeReach({ recipients, chats })}.` };
  }
  return {
    title: 'Update Sent',
    description: recipients === null ? `${sent}.` : `${sent}: ${pluralize(recipients, 'recipient')}.`,
  };
}

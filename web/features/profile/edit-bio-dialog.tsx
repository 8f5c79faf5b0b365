import { useMutation } from '@tanstack/react-query';
import { useRef, type FormEvent } from 'react';
import { BIO_MAX_LENGTH } from '#schema/constants/people.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import { updateBioMutation } from '#web/api/users.queries.ts';
import { useDraft } from '#web/lib/session/drafts.ts';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { CharacterCount } from '#web/ui/controls/character-count.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Textarea } from '#web/ui/controls/textarea.tsx';

/** Cancel discards the text. Closing the dialog in another way stores it as a draft. */
export function EditBioDialog({ bio, ...dialog }: LazyDialogProps & { bio: string }) {
  return (
    <Dialog {...dialog} title="Edit Bio">
      <BioForm bio={bio} onDone={() => dialog.onOpenChange(false)} />
    </Dialog>
  );
}

function BioForm({ bio, onDone }: { bio: string; onDone: () => void }) {
  const draft = useDraft('bio', bio);
  const text = draft.value;
  const save = useMutation(updateBioMutation);
  // Counts code points, like the server.
  const length = [...text.trim()].length;
  const isTooLong = length > BIO_MAX_LENGTH;
  const formRef = useRef<HTMLFormElement>(null);
  const cancel = () => {
    draft.drop();
    onDone();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isTooLong || save.isPending) return;
    try {
      await save.mutateAsync({ bio: text.trim() });
      toast({ title: 'Bio updated successfully' });
      draft.drop();
      // The user may have closed this dialog and opened it again to write more.
      if (formRef.current) onDone();
    } catch (error) {
      showError(error, 'Failed to update bio - Please try again later.');
    }
  };
  return (
    <form ref={formRef} onSubmit={(event) => void submit(event)}>
      <Field
        label="Bio"
        isLabelHidden
        hint={<CharacterCount length={length} max={BIO_MAX_LENGTH} unit="characters" />}
        error={isTooLong && `Shorten the bio by ${pluralize(length - BIO_MAX_LENGTH, 'character')}.`}
      >
        <Textarea
          rows={7}
          dir="auto"
          value={text}
          placeholder="Write a brief bio about yourself..."
          onChange={(event) => draft.change(event.target.value)}
        />
      </Field>
      {draft.isRestored && text !== bio && (
        <p className="mt-2 text-xs text-text-muted">
          This text isn't saved yet. Cancel brings the saved bio back.
        </p>
      )}
      <div className="mt-5 flex justify-end gap-3">
        <Button variant="ghost" onClick={cancel}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant="primary"
          disabled={isTooLong}
          isPending={save.isPending}
          pendingText="Saving..."
        >
          Save
        </Button>
      </div>
    </form>
  );
}

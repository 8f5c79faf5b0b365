import { type FormEvent, useState } from 'react';
import { readTelegramHandle, withAtSign } from '#schema/rules/people/telegram.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { useToast } from '#web/ui/overlays/toast.tsx';
import { describeMessages } from './telegram-text.ts';
import { type StartLink, useRequestLink } from './use-request-link.ts';

export interface ConnectFormProps {
  handle: string | null;
  isCaller: boolean;
  onSaved: (link: StartLink) => void;
  onCancel?: (() => void) | undefined;
}

export function ConnectForm({ handle: saved, isCaller, onSaved, onCancel }: ConnectFormProps) {
  const [typed, setTyped] = useState(withAtSign(saved ?? ''));
  const [problem, setProblem] = useState<string | null>(null);
  const { toast } = useToast();
  const { requestLink, isPending } = useRequestLink((link, message) => {
    const title = link.handle === null ? 'One More Step' : 'Telegram Handle Saved';
    toast({ title, description: message });
    onSaved(link);
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const read = readTelegramHandle(typed);
    if ('problem' in read) setProblem(read.problem);
    else void requestLink(read.handle);
  };

  return (
    <form noValidate onSubmit={submit}>
      <Field label="Telegram username (optional)" hint={describeMessages(isCaller)} error={problem}>
        <Input
          value={typed}
          placeholder="@username"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          onChange={(event) => {
            setTyped(withAtSign(event.target.value));
            setProblem(null);
          }}
        />
      </Field>
      <div className="mt-4 flex gap-2">
        {onCancel && (
          <Button variant="ghost" disabled={isPending} onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" className="flex-1" isPending={isPending} pendingText="Saving...">
          Connect Telegram
        </Button>
      </div>
    </form>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { readTelegramHandle, withAtSign } from '#schema/rules/telegram.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { connectTelegramMutation } from '#web/api/telegram.mutations.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { whatArrives } from './telegram-words.ts';

export interface ConnectFormProps {
  /** The handle that is saved already, to be changed. */
  handle: string | null;
  isCaller: boolean;
  /** The handle is saved; the link opens the bot. */
  onSaved: (startUrl: string) => void;
  onCancel?: (() => void) | undefined;
}

/** Asks for the Telegram username. */
export function ConnectForm({ handle: saved, isCaller, onSaved, onCancel }: ConnectFormProps) {
  const [typed, setTyped] = useState(withAtSign(saved ?? ''));
  const [problem, setProblem] = useState<string | null>(null);
  const { toast } = useToast();
  const connect = useMutation(connectTelegramMutation(useQueryClient()));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (connect.isPending) return;
    const read = readTelegramHandle(typed);
    if ('problem' in read) {
      setProblem(read.problem);
      return;
    }
    try {
      const { message, startUrl } = await connect.mutateAsync(read.handle);
      toast({ title: 'Telegram Handle Saved', description: message });
      onSaved(startUrl);
    } catch (error) {
      toast({ title: 'Error', description: reasonOf(error, 'Failed to connect Telegram'), variant: 'destructive' });
    }
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Field label="Telegram username" hint={whatArrives(isCaller)} error={problem}>
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
        <Button type="submit" className="flex-1" isPending={connect.isPending} pendingText="Saving...">
          Connect Telegram
        </Button>
        {onCancel && (
          <Button variant="ghost" disabled={connect.isPending} onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

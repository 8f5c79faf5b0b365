import { useMutation } from '@tanstack/react-query';
import { useState, useEffect, type FormEvent } from 'react';
import { MAX_API_KEY_NAME_LENGTH } from '#schema/constants/people.ts';
import { createApiKeyMutation } from '#web/api/account.queries.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { hasCode, reasonOf } from '#web/api/api-error.ts';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { Address } from '#web/ui/figures/address.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { Switch } from '#web/ui/controls/switch.tsx';
import { FreshSignInDialog } from '#web/lib/session/sign-in-again.tsx';

export function ApiKeysCard({ isCaller }: { isCaller: boolean }) {
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Card title="API Keys" id={API_KEYS_ANCHOR}>
      <p className="text-sm text-text-muted">
        Your own programs sign in with a key and see what you see.{' '}
        <a href="/api/docs/bot" className="underline decoration-line-strong underline-offset-4">
          Build a bot in ten minutes
        </a>
      </p>
      <Button className="mt-4 w-full" onClick={() => setIsCreating(true)}>
        Create a key
      </Button>
      <CreateApiKeyDialog isCaller={isCaller} open={isCreating} onOpenChange={setIsCreating} />
    </Card>
  );
}

/** Id of the card to which a fresh sign-in returns. */
const API_KEYS_ANCHOR = 'api-keys';

function CreateApiKeyDialog({ isCaller, ...dialog }: LazyDialogProps & { isCaller: boolean }) {
  const { open, onOpenChange } = dialog;
  const { mutate, data: created, error, isPending, reset } = useMutation(createApiKeyMutation);
  useEffect(() => {
    if (!open) reset();
  }, [open, reset]);
  return (
    <FreshSignInDialog
      {...dialog}
      isBusy={isPending}
      title={created ? 'Copy your key now' : 'Create an API key'}
      mustSignIn={hasCode(error, 'auth.fresh_sign_in_needed')}
      action="create an API key"
      danger="create one"
      anchor={API_KEYS_ANCHOR}
    >
      {created ? (
        <div className="space-y-4">
          <p className="text-sm">This is the only time that we show it. Treat it like a password.</p>
          <Address value={created.key} label="API key" isFull className="text-text" />
          <Button className="w-full" onClick={() => onOpenChange(false)}>
            Done
          </Button>
        </div>
      ) : (
        <KeyForm isCaller={isCaller} error={error} isPending={isPending} onCreate={mutate} />
      )}
    </FreshSignInDialog>
  );
}

interface KeyFormProps {
  isCaller: boolean;
  error: Error | null;
  isPending: boolean;
  onCreate: (key: { name: string; mayCall: boolean }) => void;
}

function KeyForm({ isCaller, error, isPending, onCreate }: KeyFormProps) {
  const [name, setName] = useState('');
  const [mayCall, setMayCall] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) onCreate({ name, mayCall });
  };
  return (
    <form noValidate className="space-y-4" onSubmit={submit}>
      <p className="text-sm">
        A key never pays, changes your wallets or account, or creates other keys. It ends after a year, and
        you can end it at any time.
      </p>
      <Field
        label="Name"
        hint="Such as the program that uses it"
        error={error && reasonOf(error, "Couldn't create the key. Try again in a minute.")}
      >
        <Input
          maxLength={MAX_API_KEY_NAME_LENGTH}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      {isCaller && (
        <Switch
          label="May call"
          description="Opens, updates and ends calls in your name. Without it, the key only reads."
          checked={mayCall}
          onCheckedChange={setMayCall}
        />
      )}
      <Button
        type="submit"
        variant="primary"
        className="w-full"
        isPending={isPending}
        pendingText="Creating..."
      >
        Create
      </Button>
    </form>
  );
}

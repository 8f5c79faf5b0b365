import { type FormEvent, useState } from 'react';
import { APPLICATION_FEE_STEP_SOL, MIN_APPLICATION_FEE_SOL } from '#schema/constants.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog, type DialogProps } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';

/** Submitting only logs the fields to the console. */
export function SubmitCallerDialog(props: Pick<DialogProps, 'open' | 'onOpenChange'>) {
  return (
    <Dialog
      {...props}
      title="Submit Caller"
      description="Logs the form to the browser console. Nothing is sent."
    >
      <SubmitCallerForm onDone={() => props.onOpenChange(false)} />
    </Dialog>
  );
}

function SubmitCallerForm({ onDone }: { onDone: () => void }) {
  const [twitterHandle, setTwitterHandle] = useState('');
  const [subscriptionPrice, setSubscriptionPrice] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (twitterHandle.trim() === '') {
      setProblem('Please enter a Twitter handle');
      return;
    }
    console.info('Caller submitted', { twitterHandle, subscriptionPrice });
    onDone();
  };
  return (
    <form noValidate className="space-y-5" onSubmit={submit}>
      <Field label="Twitter handle" error={problem}>
        <Input
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="@sample_caller"
          value={twitterHandle}
          onChange={(event) => {
            setTwitterHandle(event.target.value);
            setProblem(null);
          }}
        />
      </Field>
      <Field label="Monthly price" hint="Leave empty for Free.">
        <Input
          type="number"
          inputMode="decimal"
          step={APPLICATION_FEE_STEP_SOL}
          min={MIN_APPLICATION_FEE_SOL}
          suffix="SOL"
          value={subscriptionPrice}
          onChange={(event) => setSubscriptionPrice(event.target.value)}
        />
      </Field>
      <Button type="submit" variant="primary" className="w-full">
        Submit Caller
      </Button>
    </form>
  );
}

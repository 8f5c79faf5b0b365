import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Webhook, WebhookDelivery } from '#schema/contracts/webhooks.ts';
import { hasCode, reasonOf } from '#web/api/api-error.ts';
import {
  endWayMutation,
  saveWebhookMutation,
  sendWebhookSamplesMutation,
  webhookQuery,
} from '#web/api/account.queries.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { firstWholeMinute } from '#schema/rules/text/format-durations.ts';
import { formatMinute } from '#web/lib/text/dates.ts';
import { Address } from '#web/ui/figures/address.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { SignInAgain } from '#web/lib/session/sign-in-again.tsx';

const ANCHOR = 'webhook';

const KINDS: Readonly<Record<string, string>> = {
  call_opened: 'Call opened',
  call_update: 'Call updated',
  call_ended: 'Call ended',
  level_hit: 'Level hit',
  payment_received: 'Payment received',
  renewal: 'Subscription ended',
};

const RESULTS: Readonly<Record<WebhookDelivery['result'], string>> = {
  delivered: 'Delivered',
  unreachable: 'Turned off by the receiver (410)',
  unsent: 'Failed for a day',
  waiting: 'Next attempt',
};

export function WebhookCard() {
  const query = useQuery(webhookQuery);
  return (
    <Card title="Webhook" id={ANCHOR}>
      <ListState query={query} what="your webhook">
        {(webhook) => (
          <>
            <WebhookForm webhook={webhook} />
            <Deliveries deliveries={webhook.deliveries} />
          </>
        )}
      </ListState>
    </Card>
  );
}

function WebhookForm({ webhook }: { webhook: Webhook }) {
  const [url, setUrl] = useState(webhook.url ?? '');
  const save = useMutation(saveWebhookMutation);
  if (hasCode(save.error, 'auth.fresh_sign_in_needed')) {
    return (
      <SignInAgain
        action="set a webhook"
        danger="send your calls elsewhere"
        anchor={ANCHOR}
        onCancel={save.reset}
      />
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate(url);
  };
  return (
    <form noValidate className="space-y-4" onSubmit={submit}>
      <Field
        label="Address of your program"
        hint="It gets calls that you may see, payments, and ended subscriptions."
        error={save.error && reasonOf(save.error, "Couldn't save the address. Try again in a minute.")}
      >
        <Input
          type="url"
          inputMode="url"
          placeholder="https://"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      {save.data && <Secret secret={save.data.secret} />}
      <Button type="submit" className="w-full" isPending={save.isPending}>
        {webhook.url === null ? 'Save' : 'Save with a new secret'}
      </Button>
      {webhook.url !== null && <WebhookButtons />}
    </form>
  );
}

function Secret({ secret }: { secret: string }) {
  return (
    <div role="status" className="rounded-md bg-surface-sunk p-3 text-sm">
      <p>Copy the secret now. It proves that a request is from us, and we show it only once.</p>
      <Address value={secret} label="secret" isFull className="mt-2 text-text" />
    </div>
  );
}

function WebhookButtons() {
  const samples = useMutation({
    ...sendWebhookSamplesMutation,
    onSuccess: ({ status }) =>
      toast({
        title: 'Samples Sent',
        description: status === null ? 'Your program did not respond.' : `Your program responded ${status}.`,
      }),
    onError: (error) => showError(error, 'Failed to send samples'),
  });
  const remove = useMutation({
    ...endWayMutation,
    onSuccess: () => toast({ title: 'Webhook Removed', description: 'Your program gets nothing more.' }),
    onError: (error) => showError(error, 'Failed to remove the webhook'),
  });
  return (
    <div className="flex gap-2">
      <Button size="sm" className="flex-1" isPending={samples.isPending} onClick={() => samples.mutate()}>
        Send me samples
      </Button>
      <Button
        variant="ghost"
        size="sm"
        className="flex-1"
        isPending={remove.isPending}
        onClick={() => remove.mutate({ id: 'webhook' })}
      >
        Remove
      </Button>
    </div>
  );
}

function Deliveries({ deliveries }: { deliveries: readonly WebhookDelivery[] }) {
  if (deliveries.length === 0) return null;
  return (
    <ul aria-label="Latest deliveries" className="mt-4 divide-y divide-line text-sm">
      {deliveries.map(({ kind, at, result }) => (
        <li key={`${kind} ${at}`} className="py-2">
          {KINDS[kind] ?? kind}
          <span className="note">
            {RESULTS[result]} ·{' '}
            {result === 'waiting' ? (
              formatMinute(firstWholeMinute(Date.parse(at)))
            ) : (
              <RelativeTime at={at} className="lowercase" />
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

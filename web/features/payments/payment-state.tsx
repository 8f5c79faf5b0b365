import type { PaymentState } from '#schema/contracts/payments.ts';
import { Badge, type BadgeProps } from '#web/ui/badge.tsx';

interface StateWords {
  readonly label: string;
  readonly tone: BadgeProps['tone'];
  /** What it means for both sides. */
  readonly meaning: string;
}

const words: Record<PaymentState, StateWords> = {
  confirmed: {
    label: 'Confirmed',
    tone: 'neutral',
    meaning: 'It stands on the chain and its period runs. Solana makes it final within about a minute.',
  },
  settled: { label: 'Settled', tone: 'gain', meaning: 'It is final. Nothing can take it back.' },
  revoked: {
    label: 'Taken back',
    tone: 'loss',
    meaning: 'Solana dropped the transaction before it was final: no money moved, and its period is gone.',
  },
};

/** How a payment stands, in a word. */
export function PaymentStateBadge({ state }: { state: PaymentState }) {
  const { label, tone } = words[state];
  return <Badge tone={tone}>{label}</Badge>;
}

/** How a payment stands, in a word and a sentence. */
export function PaymentStateNote({ state }: { state: PaymentState }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-text-muted">
      <PaymentStateBadge state={state} />
      <span className="min-w-0 flex-1 basis-64">{words[state].meaning}</span>
    </p>
  );
}

/** What the words under 'State' mean. */
export function PaymentStateLegend() {
  return (
    <section aria-labelledby="payment-states" className="mt-8">
      <h2 id="payment-states" className="text-sm font-semibold">
        What the states mean
      </h2>
      <dl className="mt-3 grid gap-x-6 gap-y-3 text-sm md:grid-cols-3">
        {(Object.keys(words) as PaymentState[]).map((state) => (
          <div key={state}>
            <dt>
              <PaymentStateBadge state={state} />
            </dt>
            <dd className="mt-1 text-text-muted">{words[state].meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

import type { PaymentState, PaymentSummary } from '#schema/contracts/payments.ts';
import { Badge, type BadgeProps } from '#web/ui/people/badge.tsx';

interface StateText {
  readonly label: string;
  readonly tone: BadgeProps['tone'];
  readonly meaning: string;
}

const stateTexts: Record<PaymentState, StateText> = {
  confirmed: {
    label: 'Confirmed',
    tone: 'neutral',
    meaning:
      'Solana has confirmed the payment and the access period is running. It becomes final within about a minute.',
  },
  finalized: { label: 'Settled', tone: 'gain', meaning: "The payment is final and can't be reversed." },
  revoked: {
    label: 'Reversed',
    tone: 'loss',
    meaning:
      'Solana dropped the transaction before it was final. No money moved, and the access period was removed.',
  },
  refunded: {
    label: 'Refunded',
    tone: 'neutral',
    meaning:
      'The caller paid their share back, which ended the access period. The commission is not returned.',
  },
};

interface PaymentStateBadgeProps extends Pick<PaymentSummary, 'state'> {
  /** The payment's refunds. Leave them out for the badge of a state alone. */
  refunds?: PaymentSummary['refunds'];
}

export function PaymentStateBadge({ state, refunds = [] }: PaymentStateBadgeProps) {
  const { label, tone } = stateTexts[state];
  const isPartlyRefunded = refunds.length > 0 && state !== 'refunded';
  return <Badge tone={tone}>{isPartlyRefunded ? 'Partly refunded' : label}</Badge>;
}

export function PaymentStateNote({ state }: { state: PaymentState }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-text-muted">
      <PaymentStateBadge state={state} />
      <span className="min-w-0 flex-1 basis-64">{stateTexts[state].meaning}</span>
    </p>
  );
}

export function PaymentStateLegend() {
  return (
    <section aria-labelledby="payment-states" className="mt-8">
      <h2 id="payment-states" className="text-sm font-semibold">
        What each status means
      </h2>
      <dl className="mt-3 grid gap-x-6 gap-y-3 text-sm md:grid-cols-2">
        {(Object.keys(stateTexts) as PaymentState[]).map((state) => (
          <div key={state}>
            <dt>
              <PaymentStateBadge state={state} />
            </dt>
            <dd className="mt-1 text-text-muted">{stateTexts[state].meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

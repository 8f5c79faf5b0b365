import type { PaymentState, PaymentSummary } from '#schema/contracts/payments.ts';
import { keysOf } from '#schema/rules/typed-keys.ts';
import { Badge, type BadgeProps } from '#web/ui/people/badge.tsx';

interface StateText {
  readonly label: string;
  readonly tone: BadgeProps['tone'];
  readonly meaning: string;
}

/** The state on the screen: that of the payment, or of its refund. */
type ShownState = PaymentState | 'partlyRefunded' | 'refundAsked';

const stateTexts: Record<ShownState, StateText> = {
  confirmed: {
    label: 'Confirmed',
    tone: 'neutral',
    meaning:
      'Solana has confirmed the payment and the access period is running. We settle it within about a minute.',
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
      'The caller paid back the share that was asked for, or everything, which ended the access period. The platform’s ' +
      'commission is not returned.',
  },
  partlyRefunded: {
    label: 'Partly refunded',
    tone: 'neutral',
    meaning: 'The payment is final. The caller paid a part of it back, and the access period stays.',
  },
  refundAsked: {
    label: 'Refund asked for',
    tone: 'neutral',
    meaning:
      'The payment is final. The subscriber asks for the caller’s share. Once it is paid back, the access period ends.',
  },
};

type StateOfPayment = Pick<PaymentSummary, 'state' | 'paidBack' | 'refundRequest'>;

function shownState({ state, paidBack, refundRequest }: StateOfPayment): ShownState {
  if (state !== 'finalized') return state;
  if (refundRequest !== null) return 'refundAsked';
  return paidBack === '0' ? state : 'partlyRefunded';
}

function StateBadge({ state }: { state: ShownState }) {
  const { label, tone } = stateTexts[state];
  return <Badge tone={tone}>{label}</Badge>;
}

export function PaymentStateBadge(payment: StateOfPayment) {
  return <StateBadge state={shownState(payment)} />;
}

export function PaymentStateNote(payment: StateOfPayment) {
  const state = shownState(payment);
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-text-muted">
      <StateBadge state={state} />
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
        {keysOf(stateTexts).map((state) => (
          <div key={state}>
            <dt>
              <StateBadge state={state} />
            </dt>
            <dd className="mt-1 text-text-muted">{stateTexts[state].meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

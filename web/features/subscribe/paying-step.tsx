import { classNames } from '#web/ui/class-names.ts';
import { PendingLine } from '#web/ui/pending-line.tsx';
import { useWallet } from '#web/lib/wallets/wallet-provider.tsx';
import { PAYMENT_STEPS, type PaymentStep } from './run-payment.ts';

/** Third step: a line from intent to access. Each step has its name, and the current one is announced. */
export function PayingStep({ step }: { step: PaymentStep }) {
  const { choices, walletId } = useWallet();
  const wallet = choices.find(({ id }) => id === walletId)?.name ?? 'your wallet';
  const names: Record<PaymentStep, string> = {
    intent: 'Open the payment',
    sign: `Sign in ${wallet}`,
    send: 'Send it to Solana',
    confirm: 'Wait for the chain to confirm',
    activate: 'Activate your subscription',
  };
  const current = PAYMENT_STEPS.indexOf(step);
  const isSigned = current > PAYMENT_STEPS.indexOf('sign');
  return (
    <div className="space-y-5">
      <ol className="text-sm">
        {PAYMENT_STEPS.map((name, index) => (
          <li key={name} aria-current={index === current ? 'step' : undefined} className="relative flex min-h-11 items-start gap-3 pb-3 last:pb-0">
            {index < PAYMENT_STEPS.length - 1 && (
              <span aria-hidden="true" className={classNames('absolute top-4 bottom-0 left-[7px] border-l', index < current ? 'border-text' : 'border-line-strong border-dashed')} />
            )}
            <StepMark state={index < current ? 'done' : index === current ? 'current' : 'ahead'} />
            <span className={classNames(index > current && 'text-text-muted', index === current && 'font-medium')}>
              {names[name]}
              {index < current && <span className="sr-only"> (done)</span>}
            </span>
            {index === current && (
              <span className="ml-auto pt-1.5">
                <PendingLine />
              </span>
            )}
          </li>
        ))}
      </ol>
      <p role="status" aria-live="polite" className="text-sm text-text-muted">
        <span className="sr-only">{`Step ${current + 1} of ${PAYMENT_STEPS.length}: ${names[step]}. `}</span>
        {isSigned
          ? 'You have signed. You may close this tab now: the payment is found and your subscription starts all the same.'
          : 'Nothing has left your wallet yet. Once you have signed, closing this tab is safe.'}
      </p>
    </div>
  );
}

/** Ends of the line: open before, full after. */
function StepMark({ state }: { state: 'done' | 'current' | 'ahead' }) {
  return (
    <svg aria-hidden="true" width="15" height="15" viewBox="0 0 15 15" className={classNames('relative mt-0.5 shrink-0', state === 'ahead' ? 'text-line-strong' : 'text-text')}>
      <circle cx="7.5" cy="7.5" r="5.5" strokeWidth="1.5" stroke="currentColor" className={state === 'done' ? 'fill-current' : 'fill-surface-raised'} />
      {state === 'current' && <circle cx="7.5" cy="7.5" r="2.5" className="fill-accent" />}
    </svg>
  );
}

import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { PendingLine } from '#web/ui/pending-line.tsx';
import { useWallet } from '#web/lib/wallets/wallet-provider.tsx';
import { PAYMENT_STEPS, type PaymentProgress, type PaymentStep } from './payment-types.ts';
import { StepTitle } from './step-title.tsx';
import type { SubscribeFlow } from './use-subscribe-flow.ts';

interface StepWords {
  readonly name: string;
  /** What is waited for, and how long that usually takes. */
  readonly wait: string;
  /** The same once it takes longer. */
  readonly slow: string;
  /** What becomes of the payment when the tab is closed now. */
  readonly closing: string;
}

export interface PayingStepProps {
  progress: PaymentProgress;
  flow: SubscribeFlow;
  onDone: () => void;
}

/** Third step: a line from intent to access. Each step has its name, and the current one is announced. */
export function PayingStep({ progress: { step, isSlow }, flow, onDone }: PayingStepProps) {
  const { choices, walletId } = useWallet();
  const words = wordsFor(choices.find(({ id }) => id === walletId)?.name ?? 'your wallet');
  const current = PAYMENT_STEPS.indexOf(step);
  const { name, wait, slow, closing } = words[step];
  return (
    <div className="space-y-5">
      <StepTitle>Payment under way</StepTitle>
      <ol className="text-sm">
        {PAYMENT_STEPS.map((each, index) => (
          <li
            key={each}
            aria-current={index === current ? 'step' : undefined}
            className="relative flex min-h-11 items-start gap-3 pb-3 last:min-h-0 last:pb-0"
          >
            {index < PAYMENT_STEPS.length - 1 && (
              <span
                aria-hidden="true"
                className={classNames(
                  'absolute top-4 bottom-0 left-[7px] border-l',
                  index < current ? 'border-text' : 'border-line-strong border-dashed',
                )}
              />
            )}
            <StepMark state={index < current ? 'done' : index === current ? 'current' : 'ahead'} />
            <span
              className={classNames(index > current && 'text-text-muted', index === current && 'font-medium')}
            >
              {words[each].name}
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
      <div role="status" aria-live="polite" className="space-y-1 text-sm">
        <span className="sr-only">{`Step ${current + 1} of ${PAYMENT_STEPS.length}: ${name}. `}</span>
        <p className={isSlow ? 'rounded-md bg-warn-soft p-3 text-warn' : undefined}>{isSlow ? slow : wait}</p>
        <p className="text-text-muted">{closing}</p>
      </div>
      {isSlow && step === 'sign' && (
        <Button className="w-full" onClick={flow.stopWaiting}>
          Stop waiting
        </Button>
      )}
      {isSlow && isSafeToClose(step) && (
        <Button className="w-full" onClick={onDone}>
          Close, it goes on by itself
        </Button>
      )}
    </div>
  );
}

const UNSIGNED = 'Nothing has left your wallet. Keep this tab open until you have signed.';
const SIGNED =
  'You have signed. It is safe to close this tab: the payment is found and your subscription starts all the same.';

function wordsFor(wallet: string): Record<PaymentStep, StepWords> {
  return {
    intent: {
      name: 'Open the payment',
      wait: 'Waiting for the network’s newest terms, usually under a second.',
      slow: 'The network answers slowly. Waiting for its newest terms.',
      closing: UNSIGNED,
    },
    sign: {
      name: `Sign in ${wallet}`,
      wait: `Waiting for ${wallet} to ask you, usually within seconds. You have about a minute to sign.`,
      slow: 'Open your wallet: it is waiting for you. Nothing has left it.',
      closing: 'Keep this tab open until you have signed.',
    },
    send: {
      name: 'Send it to Solana',
      wait: 'Waiting for the network to take it, usually a second or two.',
      slow: 'The network answers slowly. The same signed payment is tried again, never a second one.',
      closing:
        'You have signed. Keep this tab open a moment longer, until it is sent. Should it close, open this dialog again: it goes on with the same payment.',
    },
    confirm: {
      name: 'Wait for the chain to confirm',
      wait: 'Waiting for Solana to confirm it, usually within five seconds.',
      slow: 'Solana takes longer than usual, and we are still looking. Within about two minutes it has landed, or it is certain that it never will.',
      closing: SIGNED,
    },
    activate: {
      name: 'Activate your subscription',
      wait: 'Solana has confirmed it. Waiting for your access, usually a second or two.',
      slow: 'Solana has confirmed it, and your access takes longer than usual. It starts by itself within minutes.',
      closing: SIGNED,
    },
  };
}

/** From here on the server has the payment and needs nobody to look. */
function isSafeToClose(step: PaymentStep): boolean {
  return step === 'confirm' || step === 'activate';
}

/** Ends of the line: open before, full after. */
function StepMark({ state }: { state: 'done' | 'current' | 'ahead' }) {
  return (
    <svg
      aria-hidden="true"
      width="15"
      height="15"
      viewBox="0 0 15 15"
      className={classNames('relative mt-0.5 shrink-0', state === 'ahead' ? 'text-line-strong' : 'text-text')}
    >
      <circle
        cx="7.5"
        cy="7.5"
        r="5.5"
        strokeWidth="1.5"
        stroke="currentColor"
        className={state === 'done' ? 'fill-current' : 'fill-surface-raised'}
      />
      {state === 'current' && <circle cx="7.5" cy="7.5" r="2.5" className="fill-accent" />}
    </svg>
  );
}

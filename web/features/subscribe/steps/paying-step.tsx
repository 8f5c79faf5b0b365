import { Button } from '#web/ui/controls/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { PendingLine } from '#web/ui/charts/pending-line.tsx';
import { useWallet } from '#web/lib/wallets/use-wallet.ts';
import { PAYMENT_STEPS, type PaymentProgress, type PaymentStep } from '../payment/payment-types.ts';
import { StepTitle } from './step-title.tsx';
import type { StepProps } from '../use-subscribe-flow.ts';

interface StepTexts {
  readonly name: string;
  readonly wait: string;
  readonly slow: string;
  readonly closing: string;
}

export interface PayingStepProps extends StepProps<'paying'> {
  onDone: () => void;
}

/** The third step of the subscribe dialog. Shows the stage of the payment. Screen readers announce each stage. */
export function PayingStep({ view, flow, onDone }: PayingStepProps) {
  const { isSlow, isResending = false, isDisconnected = false, isSearching = false } = view.progress;
  const step = shownStep(view.progress);
  const { walletName = 'your wallet', sendsItself } = useWallet();
  const { signBy } = view.progress;
  const time = signBy === undefined ? '' : ` by ${new Date(signBy).toLocaleTimeString()}`;
  const texts = {
    ...stepTexts(walletName, time),
    ...(sendsItself && { sign: approveTexts(walletName, time) }),
  };
  const current = PAYMENT_STEPS.indexOf(step);
  const isLate = isSlow || isResending || isDisconnected;
  const closing = isSearching ? SEARCHED : texts[view.progress.step].closing;
  const isFinishedByServer = SERVER_STEPS.includes(view.progress.step);
  return (
    <div className="flex flex-col gap-5">
      <StepTitle>Payment in progress</StepTitle>
      <ol className="text-sm">
        {PAYMENT_STEPS.map((each, index) => (
          <ProgressItem
            key={each}
            name={texts[each].name}
            state={stateOf(index, current)}
            isLast={index === PAYMENT_STEPS.length - 1}
          />
        ))}
      </ol>
      <div role="status" aria-live="polite" className="space-y-1 text-sm">
        <span className="sr-only">{`Step ${current + 1} of ${PAYMENT_STEPS.length}: ${texts[step].name}. `}</span>
        <p className={isLate ? 'rounded-md bg-warn-soft p-3 text-warn' : undefined}>
          {waitText(texts[step], view.progress)}
        </p>
        <p className="text-text-muted">{closing}</p>
      </div>
      {isSlow && (step === 'sign' || isSearching) && (
        <Button className="mt-auto w-full" onClick={flow.stopWaiting}>
          Stop waiting
        </Button>
      )}
      {isLate && isFinishedByServer && (
        <Button className="mt-auto w-full" onClick={onDone}>
          Continue in background
        </Button>
      )}
    </div>
  );
}

/** The send step stays on screen while the server repeats the send, or while we look for a payment of the wallet. */
function shownStep({ step, isResending = false, isSearching = false }: PaymentProgress): PaymentStep {
  return step === 'confirm' && (isResending || isSearching) ? 'send' : step;
}

function waitText({ wait, slow }: StepTexts, progress: PaymentProgress): string {
  if (progress.isSearching) return SEARCHING;
  if (progress.isResending) return RESENDING;
  if (progress.isDisconnected) return DISCONNECTED;
  return progress.isSlow ? slow : wait;
}

const RESENDING =
  "Solana isn't accepting the payment right now, so we keep sending it. " +
  "Within a minute or two, it either goes through or expires unpaid. You won't pay twice.";
const DISCONNECTED =
  "You've lost the connection. We send the signed payment as soon as you're back. You won't pay twice.";
const SEARCHING =
  "We're looking for your payment on Solana. We usually find it within seconds after your wallet has sent it.";
const SEARCHED =
  'You can close this tab. If the payment went through, your subscription starts automatically.';
const UNSIGNED = "Nothing has left your wallet. Keep this tab open until you've signed.";
const SIGNED =
  "You've signed. You can close this tab. Your subscription starts once the payment is confirmed.";

function stepTexts(wallet: string, time: string): Record<PaymentStep, StepTexts> {
  return {
    intent: {
      name: 'Prepare the payment',
      wait: 'Getting the latest payment details, usually under a second.',
      slow: 'Getting the latest payment details is taking longer than usual.',
      closing: UNSIGNED,
    },
    sign: {
      name: `Sign with ${wallet}`,
      wait: `Open ${wallet} and sign the payment${time}.`,
      slow: `Your wallet is still waiting for you to sign${time}. Nothing has left it.`,
      closing: "Keep this tab open until you've signed.",
    },
    send: {
      name: 'Send to Solana',
      wait: 'Sending your payment, usually a second or two.',
      slow: "The network is slow. We're sending the same signed payment again. You won't pay twice.",
      closing:
        "You've signed. Keep this tab open until the payment is sent. If it closes, open this dialog again to continue the same payment.",
    },
    confirm: {
      name: 'Confirm on Solana',
      wait: 'Waiting for Solana to confirm your payment, usually within five seconds.',
      slow:
        'Solana is taking longer than usual. ' +
        'Within a minute or two, your payment either goes through or expires unpaid.',
      closing: SIGNED,
    },
    activate: {
      name: 'Activate your subscription',
      wait: 'Solana has confirmed your payment. Activating your access, usually a second or two.',
      slow: 'Solana has confirmed your payment. Your access is taking longer than usual and starts within minutes.',
      closing: SIGNED,
    },
  };
}

function approveTexts(wallet: string, time: string): StepTexts {
  return {
    name: `Approve in ${wallet}`,
    wait: `Open ${wallet} and approve the payment${time}.`,
    slow: `We're still waiting for ${wallet}. If you've approved the payment, we'll find it.`,
    closing: "Keep this tab open until you've approved the payment. If it closes, open this dialog again.",
  };
}

/** In these steps, the server finishes the payment without the browser. */
const SERVER_STEPS: readonly PaymentStep[] = ['confirm', 'activate'];

type ProgressState = 'done' | 'current' | 'ahead';

function stateOf(index: number, current: number): ProgressState {
  if (index === current) return 'current';
  return index < current ? 'done' : 'ahead';
}

function ProgressItem({ name, state, isLast }: { name: string; state: ProgressState; isLast: boolean }) {
  return (
    <li
      aria-current={state === 'current' ? 'step' : undefined}
      className="relative flex min-h-11 items-start gap-3 pb-3 last:min-h-0 last:pb-0"
    >
      {!isLast && (
        <span
          aria-hidden="true"
          className={classNames(
            'absolute top-4 bottom-0 left-[7px] border-l',
            state === 'done' ? 'border-text' : 'border-line-strong border-dashed',
          )}
        />
      )}
      <StepMark state={state} />
      <span
        className={classNames(state === 'ahead' && 'text-text-muted', state === 'current' && 'font-medium')}
      >
        {name}
        {state === 'done' && <span className="sr-only"> (done)</span>}
      </span>
      {state === 'current' && (
        <span className="ml-auto pt-1.5">
          <PendingLine />
        </span>
      )}
    </li>
  );
}

function StepMark({ state }: { state: ProgressState }) {
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

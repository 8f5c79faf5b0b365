import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { PLATFORM_FEE_PERCENT } from '#schema/constants/money.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { formatSol, formatSolForDisplay, parseSol } from '#schema/rules/money/lamports.ts';
import { QUARTER_DAYS } from '#schema/rules/money/lengths.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { START_AT_ONCE } from '#schema/rules/text/start-at-once.ts';
import { formatDay } from '#web/lib/text/dates.ts';
import { SolUsd } from '#web/lib/money/sol-usd.tsx';
import { useWallet } from '#web/lib/wallets/use-wallet.ts';
import { Address } from '#web/ui/figures/address.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { SegmentedToggle } from '#web/ui/controls/segmented-toggle.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';
import { ProblemNote } from '#web/ui/lists/problem-note.tsx';
import { AmountRow } from '#web/lib/money/amount-row.tsx';
import {
  endOfPeriods,
  fundsProblem,
  isRecipient,
  readBalance,
  readNetworkFee,
  readTerms,
  type OpenedIntent,
  type PaymentTerms,
} from '../payment/payment-terms.ts';
import { Fact, FactList } from '#web/ui/lists/facts.tsx';
import { StepTitle } from './step-title.tsx';
import type { SubscribeCaller } from '../subscribe-caller.ts';
import type { StepProps, SubscribeFlow } from '../use-subscribe-flow.ts';

export function PreparingStep() {
  return (
    <div className="flex flex-col gap-4">
      <StepTitle>Preparing the payment</StepTitle>
      <SkeletonBars
        label="Loading payment details and balance"
        className="space-y-3"
        bars={['h-48', 'h-11']}
      />
    </div>
  );
}

interface ConfirmStepProps extends StepProps<'confirm'> {
  caller: SubscribeCaller;
}

export function ConfirmStep({ caller, view, flow }: ConfirmStepProps) {
  const { address } = useWallet();
  const { opened, problem, title } = view;
  if (opened !== null && opened.payer === address) {
    return <Terms caller={caller} opened={opened} view={view} flow={flow} />;
  }
  return (
    <div className="flex flex-col gap-4">
      <StepTitle>{title}</StepTitle>
      {problem !== null && <ProblemNote>{problem}</ProblemNote>}
      {address !== null && opened !== null && (
        <p className="text-sm text-text-muted">Your wallet switched to another account.</p>
      )}
      <Button
        variant="primary"
        className="w-full"
        onClick={() => (address === null ? flow.chooseWallet() : void flow.prepare())}
      >
        {address === null ? 'Reconnect wallet' : 'Prepare the payment again'}
      </Button>
    </div>
  );
}

function Terms({ caller, opened, view, flow }: ConfirmStepProps & { opened: OpenedIntent }) {
  const { problem, isRefreshing } = view;
  const { walletName, sendsItself } = useWallet();
  const terms = readTerms(opened.response.intent);
  const balance = readBalance(opened);
  const networkFee = readNetworkFee(opened);
  const funds = fundsProblem(opened);
  const obstacle = isRecipient(opened) ? PAYS_RECIPIENT : funds;
  const hasFeeChanged = parseSol(caller.monthlyFee ?? '0') !== BigInt(opened.response.intent.feeLamports);
  return (
    <div className="flex flex-col gap-4">
      <StepTitle>Review and pay</StepTitle>
      {problem !== null && problem !== funds && <ProblemNote>{problem}</ProblemNote>}
      {hasFeeChanged && (
        <p role="alert" className="rounded-md bg-warn-soft p-3 text-sm text-warn">
          The fee has changed since you opened this page. The amounts below are current.
        </p>
      )}
      <LengthChoice opened={opened} onChoose={flow.chooseLength} />
      <PaymentLegs terms={terms} callerName={fullName(caller)} />
      <FactList>
        <Fact name="Access" value={periodText({ opened, caller })} />
        <Fact name="Who sees it">
          <bdi>{fullName(caller)}</bdi> sees your name, your handle and these dates, until 30 days after the
          end.
        </Fact>
        <Fact name="From">
          {walletName ?? 'Your wallet'} <Address value={opened.payer} label="wallet address" />
        </Fact>
        {balance !== null && (
          <Fact name="Balance">
            {formatSolForDisplay(balance)} SOL
            <SolUsd sol={formatSol(balance)} />
          </Fact>
        )}
        <Fact name="Network fee">
          about {formatSol(networkFee)} SOL extra
          <SolUsd sol={formatSol(networkFee)} />
        </Fact>
      </FactList>
      <p className="text-sm text-text-muted">
        {sendsItself ? SENDS_ITSELF : SIGNS_ALONE} Access starts when Solana confirms the payment, usually
        within seconds. No automatic renewal. You're never charged again without approving it.
      </p>
      {obstacle !== PAYS_RECIPIENT && (
        <Button variant="ghost" className="w-full" onClick={flow.chooseWallet}>
          Use another wallet
        </Button>
      )}
      <PayBar total={terms.totalLamports} obstacle={obstacle} isRefreshing={isRefreshing} flow={flow} />
    </div>
  );
}

const SIGNS_ALONE =
  'Next, your wallet asks you to sign. It may warn that it signs without sending. ' +
  "That's right: we save the payment first, then we send it.";
const SENDS_ITSELF = 'Next, your wallet asks you to approve the payment, and sends it.';

const PAYS_RECIPIENT = 'This wallet would receive the payment, so it cannot make it. Choose another wallet.';

interface PayBarProps {
  total: bigint;
  obstacle: string | null;
  isRefreshing: boolean;
  flow: SubscribeFlow;
}

interface LengthChoiceProps {
  opened: OpenedIntent;
  onChoose: SubscribeFlow['chooseLength'];
}

function LengthChoice({ opened: { response }, onChoose }: LengthChoiceProps) {
  const { intent, lengths } = response;
  return (
    <div className="space-y-2">
      {lengths.length > 1 && (
        <SegmentedToggle
          label="Length"
          className="flex w-full"
          value={String(intent.days)}
          options={lengths.map(({ days }) => ({ value: String(days), label: `${days} days` }))}
          onValueChange={(value) => {
            const offer = lengths.find(({ days }) => String(days) === value);
            if (offer) onChoose(offer);
          }}
        />
      )}
      {intent.days === QUARTER_DAYS && (
        <p className="text-sm">If this caller stops or leaves, we can't return what is left.</p>
      )}
    </div>
  );
}

/** The bar sticks to the bottom, because the terms are longer than the screen of a small phone. */
function PayBar({ total, obstacle, isRefreshing, flow }: PayBarProps) {
  return (
    <div className="sticky -bottom-5 mt-auto -mx-5 -mb-5 space-y-2 border-t border-line bg-surface-raised px-5 pt-3 pb-4 sm:rounded-b-md">
      {obstacle !== null && <ProblemNote>{obstacle}</ProblemNote>}
      {obstacle === null && (
        <label className="flex items-start gap-2.5 text-sm">
          <input
            type="checkbox"
            checked={flow.isToStart}
            onChange={(event) => flow.setIsToStart(event.target.checked)}
            className="mt-0.5 size-5 shrink-0 accent-accent"
          />
          {START_AT_ONCE.request}
        </label>
      )}
      <div className="flex flex-wrap gap-2 *:px-3">
        <Button
          variant={obstacle === null ? 'primary' : 'secondary'}
          className="grow"
          disabled={obstacle !== null || !flow.isToStart}
          onClick={() => void flow.confirm()}
        >
          Pay {formatSolForDisplay(total)} SOL
        </Button>
        {obstacle === PAYS_RECIPIENT && (
          <Button variant="primary" className="grow" onClick={flow.chooseWallet}>
            Use another wallet
          </Button>
        )}
        {obstacle !== null && obstacle !== PAYS_RECIPIENT && (
          <Button
            variant="primary"
            className="grow"
            isPending={isRefreshing}
            pendingText="Checking..."
            onClick={() => void flow.prepare()}
          >
            Check balance again
          </Button>
        )}
      </div>
    </div>
  );
}

/** Describes the access that the payment buys. The access starts now, or when the current access ends. */
function periodText({ opened, caller }: { opened: OpenedIntent; caller: SubscribeCaller }): string {
  const knownEnd = caller.accessEndsAt == null ? 0 : Date.parse(caller.accessEndsAt);
  const paidUntil = opened.periods === null ? knownEnd : endOfPeriods(opened.periods);
  const { days } = opened.response.intent;
  const until = formatDay(Math.max(paidUntil, opened.openedAt) + days * DAY_MS);
  return paidUntil > opened.openedAt
    ? `${days} days, starting when your current access ends on ${formatDay(paidUntil)}, until ${until}`
    : `${days} days, until ${until}`;
}

function PaymentLegs({ terms, callerName }: { terms: PaymentTerms; callerName: string }) {
  return (
    <dl className="divide-y divide-line rounded-md border border-line text-sm">
      <AmountRow
        label={<LegLabel name={callerName} percent={100 - PLATFORM_FEE_PERCENT} />}
        amount={formatSolForDisplay(terms.callerLamports)}
      >
        <Address value={terms.callerAddress} label={`payout address of ${callerName}`} isFull />
      </AmountRow>
      <AmountRow
        label={<LegLabel name={PRODUCT_NAME} percent={PLATFORM_FEE_PERCENT} />}
        amount={formatSolForDisplay(terms.platformLamports)}
      >
        <Address value={terms.platformAddress} label={`address of ${PRODUCT_NAME}`} isFull />
      </AmountRow>
      <AmountRow label="Total" amount={formatSolForDisplay(terms.totalLamports)} isTotal />
    </dl>
  );
}

function LegLabel({ name, percent }: { name: string; percent: number }) {
  return (
    <>
      <bdi>{name}</bdi> <span className="text-text-muted">{percent}%</span>
    </>
  );
}

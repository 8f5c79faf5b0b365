import { useState, type FormEvent, type ReactNode } from 'react';
import {
  WALLET_PREFIX_LENGTH,
  APPLICATION_FEE_STEP_SOL,
  MIN_APPLICATION_FEE_SOL,
} from '#schema/constants/money.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { pickRecentBuys } from '#schema/rules/calls/recent-buys.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { formatMonthlyFee, formatRate } from '#schema/rules/text/format.ts';
import { formatSolAmount, formatTokenAmount } from '#schema/rules/text/format-amounts.ts';
import { formatHeld } from '#schema/rules/text/format-durations.ts';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { FlaskConical } from '#web/ui/more-icons.ts';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { PersonAvatar } from '#web/lib/people/person-avatar.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { SegmentedToggle } from '#web/ui/controls/segmented-toggle.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { Price } from '#web/ui/figures/price.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { TokenRow, type TokenRowProps } from '#web/ui/lists/token-row.tsx';
import { StatBand, StatCard } from '#web/ui/lists/stat-card.tsx';
import { Dialog, type DialogProps } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import {
  sampleActiveCalls,
  sampleCaller,
  sampleHistory,
  sampleStats,
  sampleTransactions,
  type SampleCall,
} from './sample-data.ts';

const ENDED = 'Call ended successfully! Performance has been recorded.';
const CALLED = 'Token called successfully! Your subscribers will be notified.';

type View = 'subscriber' | 'caller';

const VIEWS = [
  { value: 'subscriber', label: 'Subscriber View' },
  { value: 'caller', label: 'Caller View' },
] as const;

/** The caller dashboard with sample data. It needs no account, and its buttons change nothing. */
export function TestDashboardPage() {
  usePageTitle(PAGES['/test-dashboard'].title);
  const [view, setView] = useState<View>('caller');
  return (
    <>
      <div role="note" className="border-b border-line bg-warn-soft text-warn">
        <p className="desk flex min-h-11 flex-wrap items-center gap-x-3 gap-y-0.5 py-2 text-sm">
          <span className="inline-flex items-center gap-2 font-semibold">
            <FlaskConical size={16} />
            Development Test Mode
          </span>
          <span>All data is made up. Nothing here is saved or sent.</span>
        </p>
      </div>
      <div className="desk py-6 md:py-10">
        <header className="mb-6 flex flex-wrap items-center justify-between gap-4">
          <div>
            <h1 className="text-xl font-semibold tracking-tight md:text-2xl">Caller Dashboard</h1>
            <p className="mt-1 text-text-muted">Manage your calls and track your performance as a caller.</p>
          </div>
          <SegmentedToggle<View>
            label="View"
            value={view}
            onValueChange={setView}
            options={VIEWS}
            className="max-sm:w-full"
          />
        </header>
        <StatBand label="Statistics" className="mb-4 grid-cols-2 lg:mb-6 lg:grid-cols-4">
          <StatCard label="Total Calls" value={sampleStats.totalCalls.toLocaleString('en-US')} />
          <StatCard label="Win Rate" value={formatRate(sampleStats.winRate)} />
          <StatCard label="Subscribers" value={sampleStats.subscribers.toLocaleString('en-US')} />
          <StatCard label="Total Earnings (SOL)" value={formatSolAmount(sampleStats.totalEarnings)} />
        </StatBand>
        <div className="grid items-start gap-4 *:min-w-0 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:gap-6">
          <div className="grid gap-4 *:min-w-0 lg:gap-6">
            <SampleList
              title="Active Calls"
              rows={sampleActiveCalls}
              renderNote={({ callTimestamp }) => <RelativeTime at={callTimestamp} />}
              renderFigures={renderFigures}
              renderAction={renderButton('End', ENDED)}
            />
            <SampleList
              title="Your Recent Buys"
              rows={pickRecentBuys(sampleTransactions)}
              renderNote={({ amount, tokenSymbol, timestamp }) => (
                <>
                  {formatTokenAmount(amount)} {tokenSymbol} <RelativeTime at={timestamp} />
                </>
              )}
              renderFigures={({ currentPrice, priceChange }) => (
                <>
                  <Price value={currentPrice} />
                  <Change percent={priceChange} className="min-w-16 text-right font-medium" />
                </>
              )}
              renderAction={renderButton('Call', CALLED)}
            />
            <SampleList
              title="Call History"
              rows={sampleHistory}
              renderNote={(call) => (
                <>
                  <RelativeTime at={call.endTimestamp} />
                  <span className="figures">Duration {formatHeld(call)}</span>
                </>
              )}
              renderFigures={renderFigures}
            />
          </div>
          <SampleCallerCard />
        </div>
      </div>
    </>
  );
}

interface SampleListProps<Row> {
  title: string;
  rows: readonly Row[];
  renderNote: (row: Row) => ReactNode;
  renderFigures: (row: Row) => ReactNode;
  renderAction?: (row: Row) => ReactNode;
}

function SampleList<Row extends TokenRowProps['token']>(props: SampleListProps<Row>) {
  const { title, rows, renderNote, renderFigures, renderAction } = props;
  return (
    <Card title={title} isFlush>
      <ul aria-label={title} className="divide-y divide-line">
        {rows.map((row) => (
          <TokenRow
            key={row.tokenSymbol}
            token={row}
            note={renderNote(row)}
            figures={
              <p className="flex items-baseline justify-between gap-3 text-sm">{renderFigures(row)}</p>
            }
            action={renderAction?.(row)}
          />
        ))}
      </ul>
    </Card>
  );
}

const renderFigures = ({ entryPrice, price }: SampleCall) => (
  <>
    <span className="text-text-muted">
      Entry <Price value={entryPrice} /> → <Price value={price} />
    </span>
    <Change percent={changePercent(entryPrice, price)} className="min-w-16 text-right font-semibold" />
  </>
);

const renderButton = (verb: string, text: string) =>
  function SampleButton({ tokenSymbol }: { tokenSymbol: string }) {
    return (
      <Button size="sm" aria-label={`${verb} ${tokenSymbol}`} onClick={() => window.alert(text)}>
        {verb}
      </Button>
    );
  };

function SampleCallerCard() {
  const [isSubmitting, setIsSubmitting] = useState(false);
  return (
    <Card title="Your Caller Profile">
      <div className="flex items-center gap-3">
        <PersonAvatar person={sampleCaller} />
        <div className="min-w-0">
          <p className="truncate font-semibold">{fullName(sampleCaller)}</p>
          <p className="truncate text-xs text-text-muted">@{sampleCaller.twitterHandle}</p>
        </div>
      </div>
      <dl className="my-4 grid grid-cols-2 gap-x-4 border-y border-line py-4 [&>div>dd]:mt-0.5 [&>div>dd]:text-base [&>div>dd]:font-semibold [&>div>dt]:text-xs [&>div>dt]:text-text-muted">
        <div>
          <dt>Monthly Fee</dt>
          <dd className="figures">{formatMonthlyFee(sampleStats.subscriptionPrice)}</dd>
        </div>
        <div>
          <dt>Wallet</dt>
          <dd className="font-mono" title={sampleStats.walletAddress}>
            {sampleStats.walletAddress.slice(0, WALLET_PREFIX_LENGTH)}
          </dd>
        </div>
      </dl>
      <Button variant="primary" className="w-full" onClick={() => setIsSubmitting(true)}>
        Submit Caller
      </Button>
      <SubmitCallerDialog open={isSubmitting} onOpenChange={setIsSubmitting} />
    </Card>
  );
}

/** Submitting only logs the fields to the console. */
function SubmitCallerDialog(props: Pick<DialogProps, 'open' | 'onOpenChange'>) {
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
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    if (fields.get('twitterHandle') === '') return setProblem('Please enter a Twitter handle');
    console.info('Caller submitted', Object.fromEntries(fields));
    return onDone();
  };
  return (
    <form noValidate className="space-y-5" onSubmit={submit}>
      <Field label="Twitter handle" error={problem}>
        <Input placeholder="@sample_caller" name="twitterHandle" onChange={() => setProblem(null)} />
      </Field>
      <Field label="Monthly price" hint="Leave empty for Free.">
        <Input
          type="number"
          inputMode="decimal"
          step={APPLICATION_FEE_STEP_SOL}
          min={MIN_APPLICATION_FEE_SOL}
          suffix="SOL"
          name="subscriptionPrice"
        />
      </Field>
      <Button type="submit" variant="primary" className="w-full">
        Submit Caller
      </Button>
    </form>
  );
}

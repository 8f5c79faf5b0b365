import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import { useId, useState, type ComponentType, type ReactNode } from 'react';
import { PRODUCT_NAME } from '#schema/constants.ts';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { saveFile } from '#web/lib/browser/save-file.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { PendingLine } from '#web/ui/charts/pending-line.tsx';
import type { CheckRun, Outcome } from './check-record.ts';

interface CheckProps<Result> {
  check: (run: CheckRun) => Promise<Result>;
  outcomeOf: (result: Result) => Outcome;
  /** Returns the verdict in one sentence. */
  say: (result: Result) => string;
  Details: ComponentType<{ result: Result }>;
}

interface CheckDialogProps<Result> extends LazyDialogProps, CheckProps<Result> {
  title: string;
  description: string;
}

/** A dialog that runs a check while it's open, and shows its progress and verdict. */
export function CheckDialog<Result extends object>({
  title,
  description,
  ...props
}: CheckDialogProps<Result>) {
  const { open, onOpenChange, ...check } = props;
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} description={description} size="lg">
      <Check {...check} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function Check<Result extends object>(props: CheckProps<Result> & { onClose: () => void }) {
  const { check, outcomeOf, say, Details, onClose } = props;
  const [step, setStep] = useState('Starting');
  const { data, isFetching, isError, refetch } = useQuery({
    queryKey: ['log-check', useId()],
    queryFn: ({ signal }) =>
      check({
        signal,
        onProgress: (what, ...counts) => {
          const count = counts.filter((each) => each !== undefined).join(' of ');
          setStep(count === '' ? what : `${what}: ${count}`);
        },
      }),
    networkMode: 'always',
    retry: false,
    gcTime: 0,
    structuralSharing: false,
  });
  const result = isFetching ? undefined : data;
  return (
    <div className="flex flex-col gap-4">
      <div aria-live="polite">
        {isError && !isFetching && (
          <Headline outcome="unknown">
            Couldn't check: this browser can't run the verifier. Update it or try another one.
          </Headline>
        )}
        {result && <Headline outcome={outcomeOf(result)}>{say(result)}</Headline>}
        {isFetching && (
          <p className="flex items-center gap-3 text-sm text-text-muted">
            <PendingLine />
            {step}
          </p>
        )}
      </div>
      {result && <Details result={result} />}
      {!isFetching && (
        <a
          href="/sealed-calls"
          target="_blank"
          rel="noopener"
          className="inline-flex min-h-11 items-center self-start text-sm underline decoration-line-strong underline-offset-4 hover:decoration-current md:min-h-8"
        >
          How sealed calls work
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
      )}
      <div className="mt-auto flex flex-wrap gap-2">
        {/* One button with two labels, so that it keeps the focus. */}
        <Button className="flex-1" onClick={onClose}>
          {isFetching ? 'Cancel' : 'Close'}
        </Button>
        {result && (
          <Button className="flex-1" onClick={() => saveFile(reportFile(result))}>
            Save report
          </Button>
        )}
        {!isFetching && (
          <Button className="flex-1" onClick={() => void refetch()}>
            Check again
          </Button>
        )}
      </div>
    </div>
  );
}

const reportFile = (report: object) => ({
  name: `${PRODUCT_NAME}-log-report.json`.toLowerCase(),
  text: JSON.stringify(report, null, 2),
});

const looks = {
  verified: { Icon: CircleCheck, className: 'text-gain' },
  refuted: { Icon: CircleX, className: 'text-loss' },
  empty: { Icon: CircleDashed, className: 'text-text-muted' },
  unknown: { Icon: CircleDashed, className: 'text-warn' },
} as const satisfies Record<Outcome, object>;

function Headline({ outcome, children }: { outcome: Outcome; children: ReactNode }) {
  const { Icon, className } = looks[outcome];
  return (
    <p className="flex gap-2 font-semibold">
      <Icon aria-hidden="true" size={20} className={classNames('mt-0.5 shrink-0', className)} />
      <span className="min-w-0">{children}</span>
    </p>
  );
}

/** The dialog lists at most this many problems. The saved report has all of them. */
const MAX_PROBLEMS = 10;

export function Problems({ children }: { children: readonly string[] }) {
  const more = children.length - MAX_PROBLEMS;
  return (
    <ul aria-label="Problems" className="flex flex-col gap-2 rounded-md border border-loss p-3">
      {children.slice(0, MAX_PROBLEMS).map((problem) => (
        <li key={problem} className="wrap-anywhere">
          {problem}
        </li>
      ))}
      {more > 0 && <li>{`${more} more are in the report.`}</li>}
    </ul>
  );
}

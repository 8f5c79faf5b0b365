import { CircleCheck, CircleDashed, CircleX } from '#web/ui/more-icons.ts';
import { classNames } from '#web/ui/class-names.ts';
import { Fold } from '#web/ui/lists/fold.tsx';
import type { Verdict } from '#verify/verify.ts';

export const titles = {
  verified: { text: 'Verified', Icon: CircleCheck, className: 'text-gain' },
  unconfirmed: { text: 'Not confirmed', Icon: CircleDashed, className: 'text-warn' },
  failed: { text: 'Not verified', Icon: CircleX, className: 'text-loss' },
  later: { text: 'Check again in some minutes', Icon: CircleDashed, className: 'text-warn' },
  untrusted: { text: 'Not confirmed', Icon: CircleDashed, className: 'text-warn' },
  unavailable: { text: "Couldn't check", Icon: CircleDashed, className: 'text-warn' },
} as const;

const MAX_FAILURES = 10;

export function VerdictView({ verdict }: { verdict: Verdict }) {
  const { outcome, headlines, failures, checked, notes, key, wallet } = verdict;
  const meanings = Map.groupBy(failures.slice(0, MAX_FAILURES), ({ meaning }) => meaning);
  const { text, Icon, className } = titles[outcome];
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-center gap-2 font-semibold">
        <Icon size={20} className={classNames('shrink-0', className)} />
        {text}
      </p>
      {failures.length > 0 && (
        <ul
          aria-label="Problems"
          className={classNames(
            'flex flex-col gap-3 rounded-md border p-3 text-sm',
            outcome === 'failed' ? 'border-loss' : 'border-line',
          )}
        >
          {[...meanings].map(([meaning, same]) => (
            <li key={meaning} className="wrap-anywhere">
              <p className="font-medium">{meaning}</p>
              {same.map(({ message }) => (
                <p key={message} className="mt-0.5 text-text-muted">
                  {message}
                </p>
              ))}
            </li>
          ))}
          {failures.length > MAX_FAILURES && <li>And {failures.length - MAX_FAILURES} more.</li>}
        </ul>
      )}
      {headlines.length > 0 && (
        <ul className="flex flex-col gap-2">
          {headlines.map((headline) => (
            <li key={headline}>{headline}</li>
          ))}
        </ul>
      )}
      {(checked.length > 0 || notes.length > 0) && (
        <Fold title="Details">
          <div className="flex flex-col gap-4 text-sm">
            <Listed title="Checked">{checked}</Listed>
            <Listed title="Notes">{notes}</Listed>
            <div className="font-mono">
              <Listed title="The log's key, and the wallet of its anchors">
                {[key, wallet].filter((value) => value !== null)}
              </Listed>
            </div>
          </div>
        </Fold>
      )}
    </div>
  );
}

function Listed({ title, children }: { title: string; children: readonly string[] }) {
  if (children.length === 0) return null;
  return (
    <div>
      <h3 className="mb-1 font-sans font-medium">{title}</h3>
      <ul className="flex list-disc flex-col gap-1 pl-5 wrap-anywhere text-text-muted marker:text-line-strong">
        {children.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

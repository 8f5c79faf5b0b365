import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { DEFAULT_CALLER_SORT, RATE_LIMITS } from '#schema/constants.ts';
import type { CallerListItem } from '#schema/contracts/callers.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { Report } from '#verify/report.ts';
import { checkRanking } from '#verify/site.ts';
import { isOrderInLog, type Order } from '#verify/statistics.ts';
import type { CallersFilter } from '#web/api/callers.queries.ts';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { Fold } from '#web/ui/lists/fold.tsx';
import { CheckDialog, Problems } from './check-dialog.tsx';
import { checkRecord, outcomeOf, type CheckedRecord, type CheckRun, type Outcome } from './check-record.ts';
import { describeVerdict, VerdictDetails } from './record-dialog.tsx';

interface Ranking {
  readonly rows: readonly { readonly caller: CallerListItem; readonly record: CheckedRecord }[];
  /** A sentence for each difference between the log and the directory. */
  readonly differences: readonly string[];
  /** True if some figures weren't compared. */
  readonly isPostponed: boolean;
  readonly order: Order;
}

export function RankingDialog(dialog: LazyDialogProps) {
  const queryClient = useQueryClient();
  return (
    <CheckDialog
      {...dialog}
      title="Recompute this ranking"
      description={`Your browser checks each shown caller's record against the signed log, up to ${RATE_LIMITS.costly} a minute, then compares figures and order.`}
      check={(run) => checkShown(queryClient, run)}
      outcomeOf={rankingOutcome}
      say={describeRanking}
      Details={RankingDetails}
    />
  );
}

/** Checks the callers that the directory shows. */
async function checkShown(queryClient: QueryClient, { signal, onProgress }: CheckRun): Promise<Ranking> {
  const [shown] = queryClient.getQueryCache().findAll({ queryKey: ['callers', 'list'], type: 'active' });
  const { pages = [] } = (shown?.state.data ?? {}) as { pages?: { rows: CallerListItem[] }[] };
  const { sort = DEFAULT_CALLER_SORT, order = 'desc' } = (shown?.queryKey[2] ?? {}) as CallersFilter;
  const callers = pages.flatMap(({ rows }) => rows);
  const rows: { caller: CallerListItem; record: CheckedRecord }[] = [];
  for (const caller of callers) {
    onProgress('Checked callers', rows.length, callers.length);
    const record = await checkRecord({ caller: caller.id, signal, onProgress: () => undefined });
    rows.push({ caller, record });
  }
  const report = new Report();
  const ranked = rows.flatMap(({ caller, record: { figures } }) => (figures ? [{ caller, figures }] : []));
  checkRanking(ranked, { sort, order, now: Date.now() }, report);
  const { failures, isPostponed } = report;
  return { rows, differences: failures.map(({ message }) => message), isPostponed, order: { sort, order } };
}

function rankingOutcome({ rows, differences, isPostponed }: Ranking): Outcome {
  const outcomes = new Set(rows.map(({ record }) => outcomeOf(record)));
  if (differences.length > 0 || outcomes.has('refuted')) return 'refuted';
  if (outcomes.has('unknown') || isPostponed) return 'unknown';
  return outcomes.has('verified') ? 'verified' : 'empty';
}

function describeRanking(ranking: Ranking): string {
  const { rows, order } = ranking;
  const count = (outcome: Outcome) => rows.filter(({ record }) => outcomeOf(record) === outcome).length;
  const what = isOrderInLog(order.sort) ? 'figures and order' : 'figures';
  const texts: Readonly<Record<Outcome, string>> = {
    verified: `Verified: the ${what} of ${pluralize(rows.length, 'caller')} are those of the log`,
    refuted: 'Not verified: this ranking isn’t the one that the log gives',
    empty: 'Nothing in the log yet',
    unknown: `Couldn't check ${pluralize(Math.max(1, count('unknown')), 'caller')}. Try again.`,
  };
  return texts[rankingOutcome(ranking)];
}

function RankingDetails({ result: { rows, differences, order } }: { result: Ranking }) {
  return (
    <div className="flex flex-col gap-3 text-sm">
      {differences.length > 0 && <Problems>{differences}</Problems>}
      {!isOrderInLog(order.sort) && (
        <p className="text-text-muted">
          The order isn't checked: the log has no subscribers, fees and open calls. Sort by Avg Return or Win
          Rate to check it.
        </p>
      )}
      {rows.map(({ caller, record }) => (
        <Fold
          key={caller.id}
          title={
            <span className="block py-2">
              <bdi>{fullName(caller)}</bdi>
              <span className="block text-xs font-normal text-text-muted">{describeVerdict(record)}</span>
            </span>
          }
        >
          <VerdictDetails result={record} />
        </Fold>
      ))}
    </div>
  );
}

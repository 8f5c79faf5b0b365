import { Link } from '@tanstack/react-router';
import { X } from '#web/ui/icons.tsx';
import type { ReactNode } from 'react';
import { CALCULATOR_STAKE_USD } from '#schema/constants.ts';
import type { CallerProfile, CopiedCall } from '#schema/contracts/callers.ts';
import { calculate, type Calculation } from '#schema/rules/calls/calculator.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { formatCount, formatMonthlyFee, formatRate, formatUsd } from '#schema/rules/text/format.ts';
import { formatGain } from '#schema/rules/text/gains.ts';
import { initialOf } from '#web/lib/people/person.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { Skeleton } from '#web/ui/lists/skeleton.tsx';
import { Avatar } from '#web/ui/people/avatar.tsx';

export interface ComparedCaller {
  /** The handle or id in the page's address. */
  readonly name: string;
  /** Undefined until it has loaded. */
  readonly caller: CallerProfile | undefined;
  readonly calls: readonly CopiedCall[] | undefined;
  readonly isMissing: boolean;
}

export interface CompareTableProps {
  callers: readonly ComparedCaller[];
  /** Null if the amount isn't valid. */
  stakeUsd: number | null;
  /** Unix ms. Null if the day isn't valid. */
  since: number | null;
  /** Unix ms. */
  until: number;
  onRemove: (name: string) => void;
}

interface Column extends ComparedCaller {
  readonly result: Calculation | null;
}

interface Row {
  readonly label: string;
  readonly show: (caller: CallerProfile) => ReactNode;
}

/** A row of the calculation. `value` finds the best of the row. */
interface ResultRow {
  readonly label: string;
  readonly show: (result: Calculation) => ReactNode;
  readonly value?: (result: Calculation) => number;
}

/** A column for each caller. On a phone, each row's label stands above its figures, so that five callers fit. */
export function CompareTable({ callers, stakeUsd, since, until, onRemove }: CompareTableProps) {
  const columns = callers.map((each): Column => {
    const { caller, calls } = each;
    if (!caller || !calls || stakeUsd === null || since === null) return { ...each, result: null };
    const copied = { fee: Number(caller.monthlyFee ?? 0), calls };
    return { ...each, result: calculate({ callers: [copied], stakeUsd, since, until }) };
  });
  return (
    <table aria-label="Comparison" className="w-full table-fixed text-sm max-sm:text-xs">
      <thead className="sticky top-16 z-10 bg-surface-raised">
        <tr className="align-bottom">
          <th scope="col" className="w-44 max-sm:hidden">
            <span className="sr-only">Figure</span>
          </th>
          {columns.map((column) => (
            <th key={column.name} scope="col" className="px-1 pb-2 text-left font-medium sm:text-right">
              <Heading column={column} onRemove={() => onRemove(column.name)} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {resultRows(stakeUsd ?? CALCULATOR_STAKE_USD).map((row) => {
          const best = bestOf(columns, row);
          return (
            <Figures key={row.label} label={row.label} columns={columns}>
              {({ result }) => {
                if (result === null) return null;
                if (result.calls === 0 && result.feesUsd === 0) return '–';
                const isBest = best !== null && row.value?.(result) === best;
                return isBest ? <Best>{row.show(result)}</Best> : row.show(result);
              }}
            </Figures>
          );
        })}
        {recordRows.map(({ label, show }) => (
          <Figures key={label} label={label} columns={columns}>
            {({ caller }) => caller && show(caller)}
          </Figures>
        ))}
      </tbody>
    </table>
  );
}

const gainOnNeeded = ({ netUsd, neededUsd }: Calculation) => (neededUsd > 0 ? (netUsd / neededUsd) * 100 : 0);

const resultRows = (stakeUsd: number): readonly ResultRow[] => [
  {
    label: `With ${formatUsd(stakeUsd)} per call`,
    show: ({ netUsd }) => <Gain usd={netUsd} />,
    value: ({ netUsd }) => netUsd,
  },
  { label: 'It needed at most', show: ({ neededUsd }) => formatUsd(Math.ceil(neededUsd)) },
  {
    label: 'Result on that sum',
    show: (result) => <Change percent={gainOnNeeded(result)} />,
    value: gainOnNeeded,
  },
  { label: 'Holding SOL instead', show: ({ solUsd }) => formatGain(solUsd) },
  { label: 'Largest drop', show: ({ largestDropUsd }) => formatUsd(largestDropUsd) },
  { label: 'Subscription fees', show: ({ feesUsd }) => formatUsd(feesUsd) },
  { label: 'Calls with a result', show: ({ calls }) => formatCount(calls) },
  { label: 'Most calls at once', show: ({ mostAtOnce }) => formatCount(mostAtOnce) },
  { label: 'Time invested', show: ({ investedShare }) => formatRate(investedShare * 100) },
];

/** The whole record, whatever the chosen day. */
const recordRows: readonly Row[] = [
  { label: 'Fee per month', show: ({ monthlyFee }) => formatMonthlyFee(monthlyFee) },
  { label: 'Win Rate, all ranked calls', show: ({ winRate }) => formatRate(winRate) },
  { label: 'Follower Return, per call', show: ({ followerReturn }) => <Change percent={followerReturn} /> },
  { label: 'Proven, per call', show: ({ proven }) => <Change percent={proven} /> },
  { label: 'Ranked calls', show: ({ rankedCalls }) => formatCount(rankedCalls) },
  { label: 'Active calls', show: ({ activeCallCount }) => formatCount(activeCallCount) },
  {
    label: 'Last ended call',
    show: ({ lastCallTimestamp }) => <RelativeTime at={lastCallTimestamp} missing="–" />,
  },
];

/** The highest gain of the row. Null if it isn't a matter of better or worse, or if nobody is better than the others. */
function bestOf(columns: readonly Column[], { value }: ResultRow): number | null {
  if (!value) return null;
  const values = columns.flatMap(({ result }) => (result && result.calls > 0 ? [value(result)] : []));
  const best = Math.max(...values);
  return best > 0 && values.some((other) => other < best) ? best : null;
}

interface FiguresProps {
  label: string;
  columns: readonly Column[];
  children: (column: Column) => ReactNode;
}

function Figures({ label, columns, children: show }: FiguresProps) {
  return (
    <>
      <tr className="sm:hidden">
        <th scope="row" colSpan={columns.length} className="px-1 pt-3 text-left font-normal text-text-muted">
          {label}
        </th>
      </tr>
      <tr className="border-b border-line">
        <th scope="row" className="py-2 text-left font-normal text-text-muted max-sm:hidden">
          {label}
        </th>
        {columns.map((column) => (
          <td key={column.name} className="figures px-1 py-2 max-sm:pt-0.5 sm:text-right">
            {isLoading(column) ? <Skeleton className="h-4 w-10 sm:ml-auto" /> : show(column)}
          </td>
        ))}
      </tr>
    </>
  );
}

const isLoading = ({ caller, calls, isMissing }: Column) => !isMissing && !(caller && calls);

function Heading({
  column: { name, caller, isMissing },
  onRemove,
}: {
  column: Column;
  onRemove: () => void;
}) {
  return (
    <div className="flex flex-col gap-1 sm:items-end">
      <div className="flex items-center sm:flex-row-reverse">
        {caller && <Avatar src={caller.profileImageUrl} letter={initialOf(caller, 'C')} size="sm" />}
        <Button variant="ghost" size="sm" aria-label={`Remove ${name}`} onClick={onRemove}>
          <X aria-hidden="true" size={14} />
        </Button>
      </div>
      {caller ? (
        <Link
          to="/caller/$username"
          params={{ username: name }}
          className="max-w-full truncate underline-offset-4 hover:underline"
        >
          <bdi>{fullName(caller)}</bdi>
        </Link>
      ) : (
        <span className="max-w-full truncate">{name}</span>
      )}
      {isMissing && <span className="font-normal text-loss">Caller Not Found</span>}
    </div>
  );
}

function Gain({ usd }: { usd: number }) {
  if (Math.round(usd) === 0) return formatGain(usd);
  return <span className={usd < 0 ? 'text-loss' : 'text-gain'}>{formatGain(usd)}</span>;
}

function Best({ children }: { children: ReactNode }) {
  return (
    <strong className="font-semibold">
      {children}
      <span className="block text-xs font-normal text-text-muted">best</span>
    </strong>
  );
}

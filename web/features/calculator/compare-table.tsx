import { Link } from '@tanstack/react-router';
import { X } from '#web/ui/icons.tsx';
import type { ReactNode } from 'react';
import { MIN_PROVEN_RESULTS } from '#schema/constants/market.ts';
import type { ComparedCaller } from '#schema/contracts/callers.ts';
import { afterFeeText } from '#schema/rules/calls/after-fee-text.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { formatCount, formatMonthlyFee, formatRate, formatUsd } from '#schema/rules/text/format.ts';
import { formatGain } from '#schema/rules/text/gains.ts';
import { PersonAvatar } from '#web/lib/people/person-avatar.tsx';
import { formatDay, UTC } from '#web/lib/text/dates.ts';
import { Gain } from '#web/lib/money/gain.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { Skeleton } from '#web/ui/lists/skeleton.tsx';

export interface Column {
  readonly name: string;
  /** Undefined until it has loaded. */
  readonly found: ComparedCaller | undefined;
  readonly isMissing: boolean;
}

export interface CompareTableProps {
  columns: readonly Column[];
  stakeUsd: number;
  onRemove: (name: string) => void;
}

type Result = ComparedCaller['result'];

/** A row shows a figure of the calculation or of the caller. `value` finds who is ahead. */
interface Row {
  readonly label: string;
  readonly result?: (result: Result) => ReactNode;
  readonly value?: (result: Result) => number;
  readonly record?: (caller: ComparedCaller['caller'], openCalls: ComparedCaller['openCalls']) => ReactNode;
}

/** A column for each caller. On a phone, each row's label stands above its figures, so that five callers fit. */
export function CompareTable({ columns, stakeUsd, onRemove }: CompareTableProps) {
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
        {rowsOf(stakeUsd).map((row) => (
          <Figures key={row.label} row={row} columns={columns} />
        ))}
      </tbody>
    </table>
  );
}

const gainOnNeeded = ({ netUsd, neededUsd }: Result) => (neededUsd > 0 ? (netUsd / neededUsd) * 100 : 0);

const rowsOf = (stakeUsd: number): readonly Row[] => [
  {
    label: `With ${formatUsd(stakeUsd)} per call`,
    result: ({ netUsd }) => <Gain usd={netUsd} />,
    value: ({ netUsd }) => netUsd,
  },
  { label: 'Before fees', result: ({ gainUsd }) => formatGain(gainUsd) },
  { label: 'Subscription fees', result: ({ feesUsd }) => formatUsd(feesUsd) },
  { label: 'Money needed', result: ({ neededUsd }) => formatUsd(Math.ceil(neededUsd)) },
  {
    label: 'Return on that',
    result: (result) => <Change percent={gainOnNeeded(result)} />,
    value: gainOnNeeded,
  },
  { label: 'Holding SOL at the same times', result: ({ solUsd }) => formatGain(solUsd) },
  { label: 'Largest drop', result: ({ largestDropUsd }) => formatUsd(largestDropUsd) },
  { label: 'Calls with a result', result: ({ calls }) => formatCount(calls) },
  // The whole record, whatever the chosen day.
  { label: 'Fee per month', record: ({ monthlyFee }) => formatMonthlyFee(monthlyFee) },
  { label: 'Pays for itself, per call', record: ({ afterFee }) => afterFeeText(afterFee).paysFrom || '–' },
  { label: 'Win Rate, all ranked calls', record: ({ winRate }) => formatRate(winRate) },
  { label: 'Follower Return, per call', record: (caller) => <Change percent={caller.followerReturn} /> },
  { label: 'Proven, per call', record: ({ proven }) => <Change percent={proven} /> },
  { label: 'Ranked calls', record: ({ rankedCalls }) => formatCount(rankedCalls) },
  { label: 'Active calls', record: (_, openCalls) => formatCount(openCalls?.count ?? 0) },
  {
    label: 'Oldest open call',
    record: (_, openCalls) => (openCalls === null ? '–' : formatDay(openCalls.since, UTC)),
  },
  {
    label: 'Last ended call',
    record: (caller) => <RelativeTime at={caller.lastCallTimestamp} missing="–" />,
  },
];

/** The highest gain of the row, or the smallest loss. Null for a row without one, and if all are equal. Callers with few results can't be ahead. */
function highestOf(columns: readonly Column[], { value }: Row): number | null {
  if (!value) return null;
  const values = columns.flatMap(({ found }) =>
    found && found.result.calls > 0 && hasEnough(found) ? [value(found.result)] : [],
  );
  const highest = Math.max(...values);
  return values.some((other) => other < highest) ? highest : null;
}

const hasEnough = ({ caller }: ComparedCaller) => caller.afterFee.results >= MIN_PROVEN_RESULTS;

function Figures({ row, columns }: { row: Row; columns: readonly Column[] }) {
  const highest = highestOf(columns, row);
  return (
    <>
      <tr className="sm:hidden">
        <th scope="row" colSpan={columns.length} className="px-1 pt-3 text-left font-normal text-text-muted">
          {row.label}
        </th>
      </tr>
      <tr className="border-b border-line align-top">
        <th scope="row" className="py-2 text-left font-normal text-text-muted max-sm:hidden">
          {row.label}
        </th>
        {columns.map((column) => (
          <td key={column.name} className="figures px-1 py-2 max-sm:pt-0.5 sm:text-right">
            {column.found && show(column.found, { row, highest })}
            {!column.found && !column.isMissing && <Skeleton className="h-4 w-10 sm:ml-auto" />}
          </td>
        ))}
      </tr>
    </>
  );
}

function show(found: ComparedCaller, { row, highest }: { row: Row; highest: number | null }): ReactNode {
  const { caller, openCalls, result } = found;
  if (row.record) return row.record(caller, openCalls);
  if (result.calls === 0 && result.feesUsd === 0) return '–';
  const figure = row.result?.(result);
  if (!row.value) return figure;
  if (!hasEnough(found)) return <Noted note="too few results">{figure}</Noted>;
  return row.value(result) === highest ? <Noted note="ahead">{figure}</Noted> : figure;
}

function Heading({ column, onRemove }: { column: Column; onRemove: () => void }) {
  const { name, found, isMissing } = column;
  const caller = found?.caller;
  return (
    <div className="flex flex-col gap-1 sm:items-end">
      <div className="flex items-center sm:flex-row-reverse">
        {caller && <PersonAvatar person={caller} size="sm" />}
        <Button variant="ghost" size="sm" aria-label={`Remove ${name}`} onClick={onRemove}>
          <X size={14} />
        </Button>
      </div>
      {caller ? (
        <Link
          to="/caller/$username"
          params={{ username: name }}
          className="max-w-full underline-offset-4 hover:underline"
        >
          {/** Cut off itself, so that its box doesn't cover the next caller's link. */}
          <bdi className="block truncate">{fullName(caller)}</bdi>
        </Link>
      ) : (
        <span className="max-w-full truncate">{name}</span>
      )}
      {isMissing && <span className="font-normal text-loss">Caller Not Found</span>}
    </div>
  );
}

function Noted({ note, children }: { note: string; children: ReactNode }) {
  return (
    <span className={note === 'ahead' ? 'font-semibold' : undefined}>
      {children}
      <span className="note">{note}</span>
    </span>
  );
}

import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { CALCULATOR_STAKE_USD } from '#schema/constants.ts';
import { ApiError } from '#web/api/api-error.ts';
import { callerQuery, copiedCallsQuery } from '#web/api/callers.queries.ts';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { readStake } from '#web/lib/money/amount-per-call.tsx';
import { LoadFailedLine } from '#web/lib/page/load-failed-line.tsx';
import { useTypedValue } from '#web/ui/controls/use-typed-value.ts';
import { HowWeCount } from '#web/ui/figures/how-we-count.tsx';
import { AddCaller } from './add-caller.tsx';
import { callersOf, type CompareSearch } from './compare-search.ts';
import { CompareTable, type ComparedCaller } from './compare-table.tsx';
import { firstDay, readDay, StakeFields, toDay } from './stake-fields.tsx';

export interface ComparePageProps {
  search: CompareSearch;
  onSearchChange: (search: CompareSearch) => void;
}

/** Up to five callers side by side, with the same amount for each call since the same day. */
export function ComparePage({ search, onSearchChange }: ComparePageProps) {
  const names = callersOf(search);
  const { callers, failed, now } = useComparedCallers(names);
  const firstDays = callers
    .flatMap(({ calls }) => (calls && calls.length > 0 ? [firstDay(calls)] : []))
    .toSorted();
  const span = { first: firstDays[0] ?? toDay(now), now };
  const { text: amount, setText: setAmount } = useTypedValue({
    value: search.amount ?? String(CALCULATOR_STAKE_USD),
    onValueChange: (next) => onSearchChange({ ...search, amount: next }),
    read: (text) => (readStake(text) === null ? null : text.trim()),
  });
  const { text: day, setText: setDay } = useTypedValue({
    // The first day on which each of them had made a call.
    value: search.since ?? firstDays.at(-1) ?? span.first,
    onValueChange: (next) => onSearchChange({ ...search, since: next }),
    read: (text) => (readDay(text, span) === null ? null : text),
  });
  const stakeUsd = readStake(amount);
  const since = readDay(day, span);
  const setNames = (next: readonly string[]) => onSearchChange({ ...search, callers: next.join(' ') });
  return (
    <div className="desk py-6">
      <h1 className="text-xl font-semibold tracking-tight">Compare Callers</h1>
      <p className="mt-1 max-w-prose text-sm text-text-muted">
        The same amount for each ranked call of each caller, since the same day, fees included.
      </p>
      <AddCaller names={names} onAdd={(name) => setNames([...names, name])} />
      {names.length === 0 ? (
        <EmptyState
          title="Nobody to compare yet"
          description="Add up to five callers. The page's address contains your choice, so you can share it."
        />
      ) : (
        <Card
          className="mt-4"
          title={
            <StakeFields
              amount={amount}
              onAmountChange={setAmount}
              day={day}
              onDayChange={setDay}
              {...span}
            />
          }
          aside={<HowWeCount hash="calculator" />}
        >
          {failed && <LoadFailedLine what="a caller" onRetry={failed.refetch} />}
          <CompareTable
            callers={callers}
            stakeUsd={stakeUsd}
            since={since}
            until={now}
            onRemove={(name) => setNames(names.filter((other) => other !== name))}
          />
        </Card>
      )}
    </div>
  );
}

function useComparedCallers(names: readonly string[]) {
  const profiles = useQueries({ queries: names.map((name) => callerQuery(name)) });
  const results = useQueries({ queries: names.map((name) => copiedCallsQuery(name)) });
  const [openedAt] = useState(Date.now);
  const callers = names.map((name, index): ComparedCaller => {
    const caller = profiles[index];
    return { name, caller: caller?.data, calls: results[index]?.data, isMissing: isMissing(caller?.error) };
  });
  // An address may name a caller by handle and by id.
  const isFirst = ({ caller }: ComparedCaller, index: number) =>
    !caller || callers.findIndex((other) => other.caller?.id === caller.id) === index;
  const failed = [...profiles, ...results].find((query) => query.isLoadingError && !isMissing(query.error));
  return {
    callers: callers.filter(isFirst),
    failed,
    now: Math.max(openedAt, ...results.map(({ dataUpdatedAt }) => dataUpdatedAt)),
  };
}

const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404;

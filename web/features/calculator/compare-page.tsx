import { useInfiniteQuery, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState, useId, type FormEvent } from 'react';
import { SEARCH_MAX_LENGTH } from '#schema/constants/app.ts';
import { MAX_COMPARED_CALLERS } from '#schema/constants/market.ts';
import type { Comparison } from '#schema/contracts/callers.ts';
import { toDay } from '#schema/rules/text/utc-day.ts';
import { fullName, profileSlug } from '#schema/rules/people/person-name.ts';
import { callersQuery, comparisonQuery } from '#web/api/callers.queries.ts';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { readStake } from '#web/lib/money/amount-per-call.tsx';
import { useStake } from '#web/lib/money/stake.tsx';
import { LoadFailedLine } from '#web/lib/page/load-failed-line.tsx';
import { useTypedValue } from '#web/ui/controls/use-typed-value.ts';
import { HowWeCount } from '#web/ui/figures/how-we-count.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { useNow } from '#web/ui/figures/use-now.ts';
import { callersOf, type CompareSearch } from './compare-search.ts';
import { CompareTable, type Column } from './compare-table.tsx';
import { readDay, StakeFields } from './stake-fields.tsx';

export interface ComparePageProps {
  search: CompareSearch;
  onSearchChange: (search: CompareSearch) => void;
}

export function ComparePage({ search, onSearchChange }: ComparePageProps) {
  const names = callersOf(search);
  const stake = useStake();
  const now = useNow();
  const query = useQuery({
    ...comparisonQuery({
      callers: names,
      amount: readStake(search.amount ?? '') ?? stake,
      since: search.since,
    }),
    enabled: names.length > 0,
  });
  const span = { first: query.data?.firstDay ?? toDay(now), now };
  const { text: amount, setText: setAmount } = useTypedValue({
    value: search.amount ?? String(stake),
    onValueChange: (next) => onSearchChange({ ...search, amount: next }),
    read: (text) => (readStake(text) === null ? null : text.trim()),
  });
  const { text: day, setText: setDay } = useTypedValue({
    value: search.since ?? query.data?.since ?? span.first,
    onValueChange: (next) => onSearchChange({ ...search, since: next }),
    read: (text) => (readDay(text, span) === null ? null : text),
  });
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
          {query.isLoadingError && <LoadFailedLine what="the comparison" onRetry={query.refetch} />}
          <CompareTable
            columns={columnsOf(names, query)}
            stakeUsd={query.data?.stakeUsd ?? stake}
            onRemove={(name) => setNames(names.filter((other) => other !== name))}
          />
        </Card>
      )}
    </div>
  );
}

function columnsOf(
  names: readonly string[],
  { data, isPlaceholderData }: Pick<UseQueryResult<Comparison>, 'data' | 'isPlaceholderData'>,
): Column[] {
  const columns = names.map((name): Column => {
    const found = data?.callers.find(({ caller }) =>
      [caller.id, caller.twitterHandle.toLowerCase()].includes(name.toLowerCase()),
    );
    return { name, found, isMissing: data !== undefined && !isPlaceholderData && found === undefined };
  });
  // An address may name a caller by handle and by id.
  return columns.filter(
    ({ found }, index) => !found || columns.findIndex((other) => other.found === found) === index,
  );
}

/** Adds a caller by handle. The directory's search suggests handles while the user types. */
function AddCaller({ names, onAdd }: { names: readonly string[]; onAdd: (name: string) => void }) {
  const listId = useId();
  const [typed, setTyped] = useState('');
  const { text, setText } = useTypedValue({ value: typed, onValueChange: setTyped, read: nameIn });
  const [isRefused, setIsRefused] = useState(false);
  const { data } = useInfiniteQuery({ ...callersQuery({ search: typed }), enabled: typed !== '' });
  const add = (event: FormEvent) => {
    event.preventDefault();
    const name = nameIn(text);
    const named = data?.find((caller) => fullName(caller).toLowerCase() === name.toLowerCase());
    const [handle, ...others] = callersOf({ callers: named ? profileSlug(named) : name });
    const isOne = handle !== undefined && others.length === 0;
    setIsRefused(!isOne);
    if (!isOne) return;
    onAdd(handle);
    setText('');
  };
  if (names.length >= MAX_COMPARED_CALLERS) {
    return <p className="mt-4 text-sm">Five callers at most. Remove one to add another.</p>;
  }
  return (
    <form onSubmit={add} className="mt-4 flex items-end gap-2">
      <Field label="Add a caller" error={isRefused && 'Enter one handle, such as @amara_calls.'}>
        <Input
          list={listId}
          placeholder="@handle"
          value={text}
          maxLength={SEARCH_MAX_LENGTH}
          onChange={(event) => {
            setIsRefused(false);
            setText(event.target.value);
          }}
        />
      </Field>
      <datalist id={listId}>
        {data?.map((caller) => (
          <option key={caller.id} value={profileSlug(caller)}>
            {fullName(caller)}
          </option>
        ))}
      </datalist>
      <Button type="submit">Add</Button>
    </form>
  );
}

const nameIn = (text: string) => text.trim().replace(/^@/, '');

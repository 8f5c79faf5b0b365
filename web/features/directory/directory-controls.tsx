import { useEffect, useEffectEvent, useState } from 'react';
import { DEFAULT_CALLER_SORT } from '#schema/constants.ts';
import type { CallerSort } from '#schema/contracts/callers.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { ArrowDown, ArrowUp, LayoutGrid, TableIcon } from '#web/ui/icons.tsx';
import { SegmentedToggle } from '#web/ui/controls/segmented-toggle.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { Switch } from '#web/ui/controls/switch.tsx';
import {
  hasFilters,
  readDirectorySearch,
  sortLabels,
  type DirectorySearch,
  type DirectoryView,
} from './directory-search.ts';
import { MaxFeeBox } from './max-fee-box.tsx';
import { SearchBox } from './search-box.tsx';

export interface DirectoryControlsProps {
  search: DirectorySearch;
  onSearchChange: (search: DirectorySearch) => void;
  onClear: () => void;
  /** The number of times the filters were cleared. A change resets the text fields, even while the user types. */
  clears: number;
}

const sortOptions = (Object.entries(sortLabels) as [CallerSort, string][]).map(([value, label]) => ({
  value,
  label,
}));

const viewOptions = [
  { value: 'cards', label: <ViewLabel icon={LayoutGrid} text="Cards" /> },
  { value: 'table', label: <ViewLabel icon={TableIcon} text="Table" /> },
] as const satisfies readonly { value: DirectoryView; label: unknown }[];

export function DirectoryControls({ onClear, clears, ...props }: DirectoryControlsProps) {
  const { search, change } = useChoices(props);
  const isAscending = search.order === 'asc';
  const OrderIcon = isAscending ? ArrowUp : ArrowDown;
  return (
    <div role="search" aria-label="Callers" className="my-5 flex flex-wrap items-end gap-x-3 gap-y-2 md:my-7">
      <Field label="Search" isLabelHidden className="min-w-full grow basis-0 md:min-w-56">
        <SearchBox
          key={clears}
          isFocused={clears > 0}
          value={search.search ?? ''}
          onValueChange={(text) => change({ search: text })}
        />
      </Field>
      <div className="flex min-w-44 grow basis-0 items-end gap-1 md:grow-0 md:basis-auto">
        <Field label="Sort by" isLabelHidden className="min-w-32 grow md:min-w-36">
          <Select
            value={search.sort ?? DEFAULT_CALLER_SORT}
            options={sortOptions}
            onValueChange={(sort) => change({ sort })}
          />
        </Field>
        <Button
          variant="ghost"
          size="icon"
          aria-label={isAscending ? 'Lowest first' : 'Highest first'}
          title={isAscending ? 'Lowest first' : 'Highest first'}
          onClick={() => change({ order: isAscending ? 'desc' : 'asc' })}
        >
          <OrderIcon aria-hidden="true" size={16} />
        </Button>
      </div>
      <Field label="Max fee" isLabelHidden className="w-33 md:w-36">
        <MaxFeeBox key={clears} value={search.maxFee ?? ''} onValueChange={(maxFee) => change({ maxFee })} />
      </Field>
      <div className="flex flex-wrap items-center gap-x-4">
        <Switch
          label="Verified only"
          checked={search.verified === 'true'}
          onCheckedChange={(isOn) => change({ verified: isOn })}
        />
        <Switch
          label="Paid only"
          checked={search.paid === 'true'}
          onCheckedChange={(isOn) => change({ paid: isOn })}
        />
        {/* The button is disabled instead of hidden, so that the toolbar doesn't jump. */}
        <Button
          variant="ghost"
          disabled={!hasFilters(search)}
          onClick={onClear}
          className="-mx-2 px-2 md:px-3"
        >
          <span>
            Clear <span className="max-md:sr-only">filters</span>
          </span>
        </Button>
      </div>
      {/* The table doesn't fit narrower screens. */}
      <SegmentedToggle
        className="ml-auto max-lg:hidden"
        label="View"
        value={search.view ?? 'cards'}
        options={viewOptions}
        onValueChange={(view) => change({ view })}
      />
    </div>
  );
}

/**
 * Shows choices at once. The URL changes later, and React would reset the controls meanwhile: a select even
 * between its `input` and `change` events.
 */
function useChoices({ search, onSearchChange }: Pick<DirectoryControlsProps, 'search' | 'onSearchChange'>) {
  const [chosen, setChosen] = useState(search);
  const [address, setAddress] = useState(search);
  if (search !== address) {
    setAddress(search);
    setChosen(search);
  }
  const report = useEffectEvent((next: DirectorySearch) => {
    if (next !== search) onSearchChange(next);
  });
  useEffect(() => report(chosen), [chosen]);
  const change = (part: Record<string, unknown>) =>
    setChosen((before) => readDirectorySearch({ ...before, ...part }));
  return { search: chosen, change };
}

function ViewLabel({ icon: Icon, text }: { icon: typeof LayoutGrid; text: string }) {
  return (
    <>
      <Icon aria-hidden="true" size={16} />
      <span className="max-sm:sr-only">{text}</span>
    </>
  );
}

import { useEffect, useEffectEvent, useState } from 'react';
import { DEFAULT_CALLER_SORT } from '#schema/constants/market.ts';
import { keysOf } from '#schema/rules/typed-keys.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { ArrowDown, ArrowUp, LayoutGrid, TableIcon, Search } from '#web/ui/icons.tsx';
import { SegmentedToggle } from '#web/ui/controls/segmented-toggle.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { Switch } from '#web/ui/controls/switch.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { useEarlyChoice } from '#web/ui/controls/use-early-choice.ts';
import { useTypedValue } from '#web/ui/controls/use-typed-value.ts';
import {
  hasFilters,
  readDirectorySearch,
  sortLabels,
  readMaxFee,
  type DirectorySearch,
  type DirectoryView,
} from './directory-search.ts';

export interface DirectoryControlsProps {
  search: DirectorySearch;
  onSearchChange: (search: DirectorySearch) => void;
  onClear: () => void;
  /** The number of times the filters were cleared. A change resets the text fields, even while the user types. */
  clears: number;
}

const sortOptions = keysOf(sortLabels).map((value) => ({ value, label: sortLabels[value] }));

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
      <Field label="Search" isLabelHidden className="min-w-full grow basis-0 md:min-w-44">
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
            isDisabled={search.search !== undefined}
            onValueChange={(sort) => change({ sort, microCaps: undefined })}
          />
        </Field>
        <Button
          variant="ghost"
          size="icon"
          aria-label={isAscending ? 'Lowest first' : 'Highest first'}
          title={isAscending ? 'Lowest first' : 'Highest first'}
          onClick={() => change({ order: isAscending ? 'desc' : 'asc', microCaps: undefined })}
        >
          <OrderIcon size={16} />
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
        <Switch
          label="Micro-caps"
          title="Callers with a record on tokens too small for the rankings"
          checked={search.microCaps === 'true'}
          onCheckedChange={(isOn) => change({ microCaps: isOn })}
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
      <Icon size={16} />
      <span className="max-2xl:sr-only">{text}</span>
    </>
  );
}

/** A pasted address may be this long. Other texts are cut to SEARCH_MAX_LENGTH. */
const ADDRESS_MAX_LENGTH = 500;

interface SearchBoxProps {
  value: string;
  onValueChange: (value: string) => void;
  isFocused: boolean;
}

function SearchBox({ value, onValueChange, isFocused }: SearchBoxProps) {
  const { text, setText } = useTypedValue({ value, onValueChange, read: (typed) => typed.trim() });
  const change = (typed: string) => {
    setText(typed);
    if (typed.includes('/')) void shorten(typed);
  };
  /** Replaces an address by what it names. Few people paste one, so its rule loads on demand. */
  const shorten = async (typed: string) => {
    const { readSearchTerm } = await import('#schema/rules/text/search-term.ts');
    setText((now) => (now === typed ? readSearchTerm(typed) : now));
  };
  const inputRef = useEarlyChoice<HTMLInputElement, string>({
    value: text,
    onChoice: change,
    read: (input) => input.value,
  });
  useEffect(() => {
    if (isFocused) inputRef.current?.focus();
  }, [isFocused, inputRef]);
  return (
    <span className="group relative block">
      <Search size={16} className="pointer-events-none absolute top-3.5 left-3 text-text-muted" />
      <Input
        ref={inputRef}
        type="search"
        aria-keyshortcuts="/"
        placeholder="Callers or tokens..."
        value={text}
        maxLength={ADDRESS_MAX_LENGTH}
        onChange={(event) => change(event.target.value)}
        className="pl-9"
      />
      {text === '' && (
        <kbd
          aria-hidden="true"
          className="pointer-events-none absolute top-3 right-3 rounded-sm border border-line-strong px-1.5 font-mono text-xs leading-5 text-text-muted group-focus-within:hidden max-md:hidden"
        >
          /
        </kbd>
      )}
    </span>
  );
}

interface MaxFeeBoxProps {
  /** The maximum fee in SOL, in steps of 0.1. Empty if there is none. */
  value: string;
  onValueChange: (value: string) => void;
}

/** A field for the maximum fee. It takes one decimal, so it shows the number that filters. */
function MaxFeeBox({ value, onValueChange }: MaxFeeBoxProps) {
  const { text, setText } = useTypedValue({ value, onValueChange, read: readTyped });
  const ref = useEarlyChoice<HTMLInputElement, string>({
    value: text,
    onChoice: setText,
    read: (input) => onlyNumber(input.value),
  });
  return (
    <Input
      ref={ref}
      type="text"
      inputMode="decimal"
      placeholder="Max fee"
      suffix="SOL"
      value={text}
      onChange={(event) => setText(onlyNumber(event.target.value))}
      onBlur={() => setText(readMaxFee(text) ?? '')}
    />
  );
}

/** Returns null for unfinished numbers such as '2.' and '.'. */
function readTyped(text: string): string | null {
  return text.endsWith('.') ? null : (readMaxFee(text) ?? '');
}

/** Removes all but digits, one decimal point and one decimal. A comma counts as a point, because many keyboards have no point. */
function onlyNumber(text: string): string {
  const [whole = '', ...decimals] = text
    .replaceAll(',', '.')
    .replace(/[^\d.]/g, '')
    .split('.');
  return decimals.length === 0 ? whole.slice(0, 6) : `${whole.slice(0, 6)}.${decimals.join('').slice(0, 1)}`;
}

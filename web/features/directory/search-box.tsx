import { Search } from 'lucide-react';
import { SEARCH_MAX_LENGTH } from '#schema/constants.ts';
import { Input } from '#web/ui/input.tsx';
import { useTypedValue } from './use-typed-value.ts';

export interface SearchBoxProps {
  value: string;
  onValueChange: (value: string) => void;
}

/** Searches by name and handle once typing pauses. */
export function SearchBox({ value, onValueChange }: SearchBoxProps) {
  const { text, setText } = useTypedValue({ value, onValueChange, read: (typed) => typed.trim() });
  return (
    <span className="relative block">
      <Search aria-hidden="true" size={16} className="pointer-events-none absolute top-3.5 left-3 text-text-muted" />
      <Input
        type="search"
        placeholder="Search callers..."
        value={text}
        maxLength={SEARCH_MAX_LENGTH}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        className="pl-9"
      />
    </span>
  );
}

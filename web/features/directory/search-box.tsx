import { useEffect } from 'react';
import { SEARCH_MAX_LENGTH } from '#schema/constants.ts';
import { Search } from '#web/ui/icons.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { useEarlyChoice } from '#web/ui/controls/use-early-choice.ts';
import { useTypedValue } from '#web/ui/controls/use-typed-value.ts';

export interface SearchBoxProps {
  value: string;
  onValueChange: (value: string) => void;
  /** True if the box is focused on mount. */
  isFocused: boolean;
}

export function SearchBox({ value, onValueChange, isFocused }: SearchBoxProps) {
  const { text, setText } = useTypedValue({ value, onValueChange, read: (typed) => typed.trim() });
  const inputRef = useEarlyChoice<HTMLInputElement, string>({
    value: text,
    onChoice: setText,
    read: (input) => input.value,
  });
  useEffect(() => {
    if (isFocused) inputRef.current?.focus();
  }, [isFocused, inputRef]);
  return (
    <span className="group relative block">
      <Search
        aria-hidden="true"
        size={16}
        className="pointer-events-none absolute top-3.5 left-3 text-text-muted"
      />
      <Input
        ref={inputRef}
        type="search"
        aria-keyshortcuts="/"
        placeholder="Callers or tokens..."
        value={text}
        maxLength={SEARCH_MAX_LENGTH}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
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

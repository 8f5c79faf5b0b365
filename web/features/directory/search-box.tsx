import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Input } from '#web/ui/input.tsx';

const TYPING_PAUSE_MS = 250;

export interface SearchBoxProps {
  value: string;
  onValueChange: (value: string) => void;
}

/** Searches by name and handle once typing pauses. */
export function SearchBox({ value, onValueChange }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const [knownValue, setKnownValue] = useState(value);
  // The value changed elsewhere (filters cleared, history went back): follow it.
  if (value !== knownValue) {
    setKnownValue(value);
    if (value !== text.trim()) setText(value);
  }
  const report = useEffectEvent((search: string) => {
    if (search !== value) onValueChange(search);
  });
  useEffect(() => {
    const timer = setTimeout(() => report(text.trim()), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <span className="relative block">
      <Search aria-hidden="true" size={16} className="pointer-events-none absolute top-3.5 left-3 text-text-muted" />
      <Input
        type="search"
        placeholder="Search callers..."
        value={text}
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        className="pl-9"
      />
    </span>
  );
}

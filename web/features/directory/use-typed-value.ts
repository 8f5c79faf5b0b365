import { useEffect, useEffectEvent, useState } from 'react';

const TYPING_PAUSE_MS = 250;

export interface TypedValueOptions {
  /** What counts now; it may also change elsewhere (history went back). */
  value: string;
  onValueChange: (value: string) => void;
  /** What a text means; null while it means nothing yet. */
  read: (text: string) => string | null;
}

/** A text that is the typist's own while they type, and reports what it means once they pause. */
export function useTypedValue({ value, onValueChange, read }: TypedValueOptions) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  const [reported, setReported] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // Not our own report coming back, late perhaps: it changed elsewhere.
    if (value !== reported) {
      setReported(value);
      setText(value);
    }
  }
  const settle = useEffectEvent((typed: string) => {
    const next = read(typed);
    if (next === null || next === reported) return;
    setReported(next);
    onValueChange(next);
  });
  useEffect(() => {
    const timer = setTimeout(() => settle(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return { text, setText };
}

import { useEffect, useEffectEvent, useState } from 'react';

const TYPING_PAUSE_MS = 250;

export interface TypedValueOptions {
  /** The current value. It may change without typing, for example by going back in history. */
  value: string;
  onValueChange: (value: string) => void;
  read: (text: string) => string | null;
}

/** Holds the typed text, and reports its value once typing pauses. */
export function useTypedValue({ value, onValueChange, read }: TypedValueOptions) {
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const [reported, setReported] = useState(value);
  if (value !== lastValue) {
    setLastValue(value);
    // The value didn't come from this hook (for example, the user went back in history), so it replaces the
    // typed text.
    if (value !== reported) {
      setReported(value);
      setText(value);
    }
  }
  const report = useEffectEvent((typed: string) => {
    const next = read(typed);
    if (next === null || next === reported) return;
    setReported(next);
    onValueChange(next);
  });
  useEffect(() => {
    const timer = setTimeout(() => report(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return { text, setText };
}

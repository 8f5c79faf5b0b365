import { useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react';

export interface EarlyChoiceOptions<Control, Value> {
  value: Value;
  onChoice: (value: Value) => void;
  read: (control: Control) => Value;
}

/**
 * Reports a value that the user chose or typed before React hydrated the server's HTML. The document has that
 * value until React renders the control again. Returns the control's ref.
 */
export function useEarlyChoice<Control extends Element, Value>({
  value,
  onChoice,
  read,
}: EarlyChoiceOptions<Control, Value>): RefObject<Control | null> {
  const ref = useRef<Control>(null);
  const report = useEffectEvent(() => {
    if (ref.current === null) return;
    const chosen = read(ref.current);
    if (chosen !== value) onChoice(chosen);
  });
  useLayoutEffect(() => report(), []);
  return ref;
}

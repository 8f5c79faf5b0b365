import { useEffect, useRef } from 'react';

/** Focuses an input when the user presses the slash key outside of text fields and dialogs. */
export function useSlashFocus() {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || handlesKeys(event.target)) {
        return;
      }
      event.preventDefault();
      ref.current?.focus();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
  return ref;
}

function handlesKeys(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]',
    ) !== null
  );
}

import { useEffect, useRef } from 'react';

/** A box that the slash key leads to, from wherever on the page nothing is being written. */
export function useSlashFocus() {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const lead = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isOperated(event.target)) {
        return;
      }
      event.preventDefault();
      ref.current?.focus();
    };
    document.addEventListener('keydown', lead);
    return () => document.removeEventListener('keydown', lead);
  }, []);
  return ref;
}

/* Where a key means something of its own: in boxes, and in whatever floats above the page. */
function isOperated(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]',
    ) !== null
  );
}

import { useEffect } from 'react';

/**
 * Focuses the page's search box (if any) when the user presses the slash key outside of text fields and
 * dialogs.
 */
export function useSlashFocus(): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || handlesKeys(event.target)) {
        return;
      }
      const searchBox = document.querySelector<HTMLElement>('main [aria-keyshortcuts="/"]');
      if (!searchBox) return;
      event.preventDefault();
      searchBox.focus();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
}

function handlesKeys(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]',
    ) !== null
  );
}

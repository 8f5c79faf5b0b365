/** The box of everything one types or picks in. 16 px text, or phones zoom into it. */
export const controlClassName =
  'block w-full rounded-md border border-line-strong bg-surface-sunk px-3 text-base text-text transition-colors aria-invalid:border-loss disabled:opacity-55 sm:text-sm';

import { classNames } from '../class-names.ts';

/** Styles of inputs, textareas and selects. The text is 16 px, because phones zoom in on smaller text. */
export const controlClassName = classNames(
  'block w-full rounded-md border border-line-strong bg-surface-sunk px-3 text-base text-text transition-colors',
  'aria-invalid:border-loss disabled:opacity-55 sm:text-sm',
);

import { classNames } from './class-names.ts';

/** Inputs, textareas and selects. Phones zoom in on text smaller than 16 px. */
export const controlClassName = classNames(
  'block w-full rounded-md border border-line-strong bg-surface-sunk px-3 text-base text-text transition-colors',
  'aria-invalid:border-loss disabled:opacity-55 sm:text-sm',
);

import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

/* The outer cells stand in line with the headings of the card around them. */
const cellPadding = 'px-3 first:pl-4 last:pr-4';

/** A table in a box that scrolls sideways where it must. `label` names it for screen readers. */
export function Table({ label, className, children }: { label: string; className?: string | undefined; children: ReactNode }) {
  return (
    <div className={classNames('overflow-x-auto xl:overflow-visible', className)}>
      <table aria-label={label} className="w-full border-collapse text-sm">
        {children}
      </table>
    </div>
  );
}

/** The head's only row. */
export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead className="sticky top-0 z-10 bg-surface-raised xl:top-16">
      <tr className="border-b border-line">{children}</tr>
    </thead>
  );
}

export interface TableCellProps extends ComponentProps<'td'> {
  /** Figures: right-aligned, tabular, never wrapped. */
  isNumeric?: boolean | undefined;
}

export interface TableHeaderCellProps extends ComponentProps<'th'> {
  isNumeric?: boolean | undefined;
  /** Without padding: a button inside brings its own. */
  isBare?: boolean | undefined;
}

/** A column's name. */
export function TableHeaderCell({ isNumeric = false, isBare = false, className, ...rest }: TableHeaderCellProps) {
  return (
    <th
      scope="col"
      {...rest}
      className={classNames(
        'h-11 text-xs font-medium whitespace-nowrap text-text-muted',
        isBare ? undefined : cellPadding,
        isNumeric ? 'text-right' : 'text-left',
        className,
      )}
    />
  );
}

/** A row. `isLinked`: a TableRowLink inside makes all of it clickable. */
export function TableRow({ isLinked = false, className, ...rest }: ComponentProps<'tr'> & { isLinked?: boolean | undefined }) {
  return (
    <tr
      {...rest}
      className={classNames('h-16 border-b border-line last:border-b-0', isLinked && 'relative hover:bg-surface-hover', className)}
    />
  );
}

export function TableCell({ isNumeric = false, className, ...rest }: TableCellProps) {
  return <td {...rest} className={classNames('py-2 align-middle', cellPadding, isNumeric && 'figures text-right', className)} />;
}

/** Put on the real link of a row (or card) whose box is `relative`: its hit area covers all of it. */
export const coveringLinkClassName = 'after:absolute after:inset-0';
/** Put on what else can be clicked in such a row, so that it stays above the covering link. */
export const aboveCoveringLinkClassName = 'relative z-1';

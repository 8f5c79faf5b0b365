import { useEffect, useRef, useState, type ComponentProps, type ReactNode, type RefObject } from 'react';
import { classNames } from './class-names.ts';

/* The outer cells stand in line with the headings of the card around them. */
const cellPadding = 'px-3 first:pl-4 last:pr-4';

/** A table in a box that scrolls sideways where it must, and shows that it does. `label` names it for screen readers. */
export function Table({
  label,
  className,
  children,
}: {
  label: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  const boxRef = useRef<HTMLDivElement>(null);
  const hasMore = useHasMoreToTheRight(boxRef);
  return (
    <div className={classNames('relative', className)}>
      <div ref={boxRef} className="overflow-x-auto xl:overflow-visible">
        <table aria-label={label} className="w-full border-collapse text-sm">
          {children}
        </table>
      </div>
      {/* The edge fades where columns go on: one sees that it scrolls. */}
      {hasMore && (
        <div
          aria-hidden="true"
          data-testid="table-goes-on"
          className="pointer-events-none absolute inset-y-0 right-0 z-20 w-12 bg-linear-to-l from-surface-raised to-transparent xl:hidden"
        />
      )}
    </div>
  );
}

function useHasMoreToTheRight(boxRef: RefObject<HTMLElement | null>): boolean {
  const [hasMore, setHasMore] = useState(false);
  useEffect(() => {
    const box = boxRef.current;
    if (!box) return undefined;
    const look = () => setHasMore(box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
    const observer = new ResizeObserver(look);
    observer.observe(box);
    if (box.firstElementChild) observer.observe(box.firstElementChild);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, [boxRef]);
  return hasMore;
}

/* Stays at the left while the rest scrolls by under it. Its line is a shadow: a border would scroll away. */
const stickyCellClassName =
  'max-xl:sticky max-xl:left-0 max-xl:z-2 max-xl:bg-surface-raised max-xl:shadow-[inset_-1px_0_0_var(--line)]';

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
  /** Stays in sight while the table scrolls sideways. */
  isSticky?: boolean | undefined;
}

export interface TableHeaderCellProps extends ComponentProps<'th'> {
  isNumeric?: boolean | undefined;
  /** Without padding: a button inside brings its own. */
  isBare?: boolean | undefined;
  /** Stays in sight while the table scrolls sideways. */
  isSticky?: boolean | undefined;
}

/** A column's name. */
export function TableHeaderCell({
  isNumeric = false,
  isBare = false,
  isSticky = false,
  className,
  ...rest
}: TableHeaderCellProps) {
  return (
    <th
      scope="col"
      {...rest}
      className={classNames(
        'h-11 text-xs font-medium whitespace-nowrap text-text-muted',
        isBare ? undefined : cellPadding,
        isNumeric ? 'text-right' : 'text-left',
        isSticky && stickyCellClassName,
        className,
      )}
    />
  );
}

/** A row. `isLinked`: a TableRowLink inside makes all of it clickable. */
export function TableRow({
  isLinked = false,
  className,
  ...rest
}: ComponentProps<'tr'> & { isLinked?: boolean | undefined }) {
  return (
    <tr
      {...rest}
      className={classNames(
        'h-16 border-b border-line last:border-b-0',
        isLinked && 'group/row relative hover:bg-surface-hover',
        className,
      )}
    />
  );
}

export function TableCell({ isNumeric = false, isSticky = false, className, ...rest }: TableCellProps) {
  return (
    <td
      {...rest}
      className={classNames(
        'py-2 align-middle',
        cellPadding,
        isNumeric && 'figures text-right',
        isSticky && `${stickyCellClassName} max-xl:group-hover/row:bg-surface-hover`,
        className,
      )}
    />
  );
}

/** Put on the real link of a row (or card) whose box is `relative`: its hit area covers all of it. */
export const coveringLinkClassName = 'after:absolute after:inset-0';
/** Put on what else can be clicked in such a row, so that it stays above the covering link. */
export const aboveCoveringLinkClassName = 'relative z-1';

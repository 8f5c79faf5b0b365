import {
  useLayoutEffect,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
  type RefObject,
} from 'react';
import { classNames } from '../class-names.ts';

export interface TableProps {
  label: string;
  /** The layout of rows on phones (web/styles/lists.css). Each figure's cell needs a `label` then. */
  cards?: 'row-cards' | 'row-lines' | undefined;
  children: ReactNode;
}

/**
 * A table that scrolls sideways if it doesn't fit. A faded edge shows that there are more columns. If the
 * table fits, its head is sticky, which doesn't work in a box that scrolls sideways. Cells with `sticky-start` and
 * `sticky-end` stay visible.
 */
export function Table({ label, cards, children }: TableProps) {
  const boxRef = useRef<HTMLDivElement>(null);
  const { isTooWide, hasMore } = useFit(boxRef);
  return (
    <div data-too-wide={isTooWide || undefined} className="group/table relative">
      {/** Focusable if it's too wide, so that the keyboard can scroll it. */}
      <div
        ref={boxRef}
        {...(isTooWide && { role: 'region', 'aria-label': label, tabIndex: 0 })}
        className="group-data-too-wide/table:overflow-x-auto"
      >
        <table aria-label={label} className={classNames('w-full border-collapse text-sm', cards)}>
          {children}
        </table>
      </div>
      {hasMore && <div aria-hidden="true" data-testid="table-goes-on" className={fadeClassName} />}
    </div>
  );
}

const fadeClassName = classNames(
  'pointer-events-none absolute inset-y-0 right-0 z-20 w-12 group-has-[.sticky-end]/table:hidden',
  'bg-linear-to-l from-surface-raised to-transparent',
);

/** `hasMore`: part of the table is hidden to the right. */
function useFit(boxRef: RefObject<HTMLElement | null>): { isTooWide: boolean; hasMore: boolean } {
  const [isTooWide, setIsTooWide] = useState(false);
  const [hasMore, setHasMore] = useState(false);
  useLayoutEffect(() => {
    const box = boxRef.current;
    if (!box) return undefined;
    const measure = () => {
      setIsTooWide(box.scrollWidth > box.clientWidth + 1);
      setHasMore(box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    if (box.firstElementChild) observer.observe(box.firstElementChild);
    box.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', measure);
    };
  }, [boxRef]);
  return { isTooWide, hasMore };
}

export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead className="sticky top-16 z-10 bg-surface-raised group-data-too-wide/table:top-0">
      <tr className="border-b border-line">{children}</tr>
    </thead>
  );
}

export interface TableCellProps extends ComponentProps<'td'> {
  isRowHeader?: boolean | undefined;
  /** True for figures, which are right-aligned, tabular and never wrapped. */
  isNumeric?: boolean | undefined;
  /** The figure's name on phones, in a table with `cards`. */
  label?: string | undefined;
}

export interface TableHeaderCellProps extends ComponentProps<'th'> {
  isNumeric?: boolean | undefined;
  /** True if the cell has no padding, because the button inside has its own. */
  isBare?: boolean | undefined;
}

export function TableHeaderCell({
  isNumeric = false,
  isBare = false,
  className,
  ...rest
}: TableHeaderCellProps) {
  return (
    <th
      scope="col"
      {...rest}
      className={classNames(
        'h-11 py-0 text-xs font-medium whitespace-nowrap text-text-muted',
        isBare ? 'text-left' : 'cell',
        isNumeric && 'text-right',
        className,
      )}
    />
  );
}

/** A table row. With `isLinked`, a link inside with `coveringLinkClassName` makes the whole row clickable. */
export function TableRow({
  isLinked = false,
  className,
  ...rest
}: ComponentProps<'tr'> & { isLinked?: boolean | undefined }) {
  return (
    <tr
      {...rest}
      className={classNames('row', isLinked && 'group/row relative hover:bg-surface-hover', className)}
    />
  );
}

export function TableCell({
  isRowHeader = false,
  isNumeric = false,
  label,
  className,
  ...rest
}: TableCellProps) {
  const Cell = isRowHeader ? 'th' : 'td';
  return (
    <Cell
      {...rest}
      {...(isRowHeader && { scope: 'row' })}
      data-label={label}
      className={classNames('cell', isNumeric && 'figures text-right', className)}
    />
  );
}

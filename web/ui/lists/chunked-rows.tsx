import { memo, useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react';
import { classNames } from '../class-names.ts';
import { HydrateInTurn } from './hydrate-in-turn.tsx';
import { useChunks, type Chunk, type Chunks } from './use-chunks.ts';

/** Even rows of one, two or three cards. */
const LIST_CHUNK = 6;
const TABLE_CHUNK = 12;

interface RowsProps<Row> {
  /** Different for each list of the app (use-chunks.ts). */
  name: string;
  /** The same array as long as no row changes. */
  rows: readonly Row[];
  /** The same function as long as its result doesn't change. `position` counts from 1. */
  renderRow: (row: Row, position: number) => ReactNode;
  /** The text by which the browser's search finds a row that isn't in the document. */
  textOf: (row: Row) => string;
  /** In px. */
  estimatedRowHeight: number;
}

export interface ChunkedListProps<Row> extends RowsProps<Row> {
  label?: string | undefined;
  /** Class of each chunk of rows. With `content-visibility`, chunks outside of the window need no layout. */
  className: string;
}

/**
 * A list of which only the part near the window is in the document once it's long. Its rows are `listitem`s with
 * `aria-posinset`, because their neighbours may be missing.
 */
export function ChunkedList<Row>({
  name,
  label,
  className,
  estimatedRowHeight,
  ...rest
}: ChunkedListProps<Row>) {
  const chunks = useChunks({ name, count: rest.rows.length, chunkSize: LIST_CHUNK, estimatedRowHeight });
  return (
    <div role="list" aria-label={label}>
      {chunks.list.map((chunk) => (
        <ListChunk key={chunk.from} {...chunk} {...pick(chunks)} {...rest} className={className} />
      ))}
    </div>
  );
}

export interface ChunkedTableBodiesProps<Row> extends RowsProps<Row> {
  columns: number;
}

/** Like `ChunkedList`, as table bodies. Give the table `aria-rowcount`, and the rows `aria-rowindex`. */
export function ChunkedTableBodies<Row>({
  name,
  columns,
  estimatedRowHeight,
  ...rest
}: ChunkedTableBodiesProps<Row>) {
  const chunks = useChunks({ name, count: rest.rows.length, chunkSize: TABLE_CHUNK, estimatedRowHeight });
  return chunks.list.map((chunk) => (
    <TableChunk key={chunk.from} {...chunk} {...pick(chunks)} {...rest} columns={columns} />
  ));
}

const pick = ({ observe, show }: Chunks) => ({ observe, show });

type ChunkProps<Row> = Chunk &
  Pick<Chunks, 'observe' | 'show'> &
  Pick<RowsProps<Row>, 'rows' | 'renderRow' | 'textOf'>;

const ListChunk = memo(function ListChunk<Row>(props: ChunkProps<Row> & { className: string }) {
  const ref = useRef<HTMLDivElement>(null);
  useObserved(ref, props);
  return (
    <div ref={ref} role="none" className={classNames(props.isShown && props.className)}>
      {props.isShown ? <Rows {...props} /> : <Gap {...props} />}
    </div>
  );
}) as <Row>(props: ChunkProps<Row> & { className: string }) => ReactNode;

const TableChunk = memo(function TableChunk<Row>(props: ChunkProps<Row> & { columns: number }) {
  const ref = useRef<HTMLTableSectionElement>(null);
  useObserved(ref, props);
  if (props.isShown) {
    return (
      <tbody ref={ref}>
        <Rows {...props} />
      </tbody>
    );
  }
  return (
    <tbody ref={ref} aria-hidden="true">
      <tr>
        <td colSpan={props.columns} className="p-0">
          <Gap {...props} />
        </td>
      </tr>
    </tbody>
  );
}) as <Row>(props: ChunkProps<Row> & { columns: number }) => ReactNode;

function useObserved(
  ref: RefObject<HTMLElement | null>,
  { from, observe }: Pick<ChunkProps<never>, 'from' | 'observe'>,
) {
  useLayoutEffect(() => {
    observe(from, ref.current);
    return () => observe(from, null);
  }, [ref, from, observe]);
}

function Rows<Row>({ rows, from, to, renderRow }: ChunkProps<Row>) {
  return (
    <HydrateInTurn>
      {rows.slice(from, to).map((row, index) => renderRow(row, from + index + 1))}
    </HydrateInTurn>
  );
}

/** Takes the place of rows. The browser's search finds its text, and then the rows come back. */
function Gap<Row>({ rows, from, to, height, textOf, show }: ChunkProps<Row>) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    // React knows neither this value nor the event. The height isn't an attribute, because the Content-Security-Policy
    // forbids those in the server's HTML.
    element.setAttribute('hidden', 'until-found');
    element.style.height = `${height}px`;
    const showRows = () => show(from);
    element.addEventListener('beforematch', showRows);
    return () => element.removeEventListener('beforematch', showRows);
  }, [height, from, show]);
  return (
    <div ref={ref} hidden aria-hidden="true">
      {rows.slice(from, to).map(textOf).join(', ')}
    </div>
  );
}

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

/** A longer list keeps only the chunks near the window in the document. */
const LONG_LIST = 60;
/** How far outside of the window chunks are in the document. */
const MARGIN = '50% 0px';
/** As many lists keep their heights for the case that the user comes back. */
const MAX_KEPT = 20;

export interface Chunk {
  /** Rows from this index up to, but without, `to`. */
  readonly from: number;
  readonly to: number;
  /** Whether its rows are in the document. Otherwise, a gap takes their place. */
  readonly isShown: boolean;
  /** The gap's, in px. */
  readonly height: number;
}

export interface Chunks {
  readonly list: readonly Chunk[];
  /** Call it with a chunk's element, and with null once the element is gone. */
  readonly observe: (from: number, element: HTMLElement | null) => void;
  readonly show: (from: number) => void;
}

export interface ChunksOptions {
  /** Different for each list of the app. A list with the name of an earlier one continues where the user has left that. */
  readonly name: string;
  readonly count: number;
  readonly chunkSize: number;
  /** In px, until a height is measured. */
  readonly estimatedRowHeight: number;
}

/** A list's measured heights in px by the chunks' first rows, and its shown chunks. */
interface Kept {
  width: number;
  readonly heights: Map<number, number>;
  shown: ReadonlySet<number>;
}

const keptLists = new Map<string, Kept>();

/**
 * Divides a list into chunks of rows. In a long list, chunks far outside of the window leave the document. A chunk with the
 * focus stays. Give the component the list's name as its `key`, because this keeps state.
 */
export function useChunks({ name, count, chunkSize, estimatedRowHeight }: ChunksOptions): Chunks {
  const isLong = count > LONG_LIST;
  const [kept] = useState(() => recall(name));
  const [shown, setShown] = useState(() =>
    kept.shown.size > 0 ? kept.shown : startsBelow(LONG_LIST, chunkSize),
  );
  const change = useCallback(
    (next: (before: ReadonlySet<number>) => ReadonlySet<number>) =>
      setShown((before) => {
        const after = next(before);
        return isSame(before, after) ? before : after;
      }),
    [],
  );
  useEffect(() => keepShown(kept, isLong ? shown : new Set()), [kept, shown, isLong]);
  const observe = useNearness({ isOn: isLong, kept, change });
  const list = useMemo(
    () =>
      Array.from({ length: Math.ceil(count / chunkSize) }, (_, number) => {
        const from = number * chunkSize;
        const to = Math.min(count, from + chunkSize);
        const isShown = !isLong || shown.has(from);
        const height = kept.heights.get(from) ?? kept.heights.get(0) ?? estimatedRowHeight * (to - from);
        return { from, to, isShown, height: isShown ? 0 : height };
      }),
    [kept, count, chunkSize, estimatedRowHeight, isLong, shown],
  );
  const show = useCallback((from: number) => change((before) => new Set([...before, from])), [change]);
  return { list, observe, show };
}

interface NearnessOptions {
  isOn: boolean;
  kept: Kept;
  change: (next: (before: ReadonlySet<number>) => ReadonlySet<number>) => void;
}

/** Shows the chunks near the window and hides the others. Returns the function that observes a chunk. */
function useNearness({ isOn, kept, change }: NearnessOptions): Chunks['observe'] {
  const elements = useRef(new Map<number, HTMLElement>());
  const observer = useRef<IntersectionObserver | null>(null);
  useEffect(() => {
    if (!isOn) return undefined;
    const near = new Set<number>();
    const update = (entries: readonly IntersectionObserverEntry[]) => {
      if (kept.width !== window.innerWidth) kept.heights.clear();
      kept.width = window.innerWidth;
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        const [from] = [...elements.current].find(([, element]) => element === target) ?? [];
        if (from === undefined) continue;
        if (isIntersecting) near.add(from);
        else near.delete(from);
        if (!isGap(target)) kept.heights.set(from, boundingClientRect.height);
      }
      change(() => new Set([...near, ...withFocus(elements.current)]));
    };
    const current = new IntersectionObserver(update, { rootMargin: MARGIN });
    observer.current = current;
    for (const element of elements.current.values()) current.observe(element);
    return () => {
      current.disconnect();
      observer.current = null;
    };
  }, [isOn, kept, change]);
  return useCallback((from: number, element: HTMLElement | null) => {
    const before = elements.current.get(from);
    if (before) observer.current?.unobserve(before);
    if (element === null) elements.current.delete(from);
    else {
      elements.current.set(from, element);
      observer.current?.observe(element);
    }
  }, []);
}

const isGap = (element: Element) => element.querySelector('[hidden]') !== null;

function withFocus(elements: ReadonlyMap<number, HTMLElement>): number[] {
  const focused = [...elements].find(([, element]) => element.contains(document.activeElement));
  return focused === undefined ? [] : [focused[0]];
}

function keepShown(kept: Kept, shown: ReadonlySet<number>): void {
  kept.shown = shown;
}

function recall(name: string): Kept {
  const empty: Kept = { width: 0, heights: new Map(), shown: new Set() };
  // The server keeps nothing between requests.
  if (typeof window === 'undefined') return empty;
  const known = keptLists.get(name);
  const kept = known?.width === window.innerWidth ? known : empty;
  keptLists.delete(name);
  keptLists.set(name, kept);
  const [oldest] = keptLists.keys();
  if (keptLists.size > MAX_KEPT && oldest !== undefined) keptLists.delete(oldest);
  return kept;
}

function isSame(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return one.size === other.size && [...one].every((from) => other.has(from));
}

function startsBelow(end: number, chunkSize: number): ReadonlySet<number> {
  return new Set(Array.from({ length: Math.ceil(end / chunkSize) }, (_, number) => number * chunkSize));
}

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { NearnessWatch, watchNearness } from './watch-nearness.ts';

/** A longer list keeps only the chunks near the window in the document. */
const LONG_LIST = 60;
/** As many lists keep their heights for the case that the user comes back. */
const MAX_KEPT = 20;

export interface Chunk {
  /** Rows from this index up to, but without, `to`. */
  readonly from: number;
  readonly to: number;
  /** True if its rows are in the document. Otherwise, a gap takes their place. */
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

type Watch = typeof watchNearness;

/** Loaded once a list may get long. */
let loaded: Watch | 'failed' | null = null;

async function loadWatch(): Promise<Watch | 'failed'> {
  loaded = await import('./watch-nearness.ts').then(
    (module) => module.watchNearness,
    () => 'failed' as const,
  );
  return loaded;
}

/**
 * Divides a list into chunks of rows. In a long list, chunks far outside of the window leave the document. A chunk with the
 * focus stays. Give the component the list's name as its `key`, because this keeps state.
 */
export function useChunks({ name, count, chunkSize, estimatedRowHeight }: ChunksOptions): Chunks {
  const isLong = count > LONG_LIST;
  const [kept] = useState(() => recall(name));
  const [isLongAtFirst] = useState(isLong);
  const [shown, setShown] = useState(() =>
    kept.shown.size > 0 ? kept.shown : startsBelow(LONG_LIST, chunkSize),
  );
  useEffect(() => keepShown(kept, isLong ? shown : new Set()), [kept, shown, isLong]);
  const [watch, setWatch] = useState<Watch | 'failed' | null>(() => loaded);
  // A list of this length probably has another page.
  const mayGetLong = count >= LONG_LIST;
  useEffect(() => {
    if (mayGetLong && watch === null) void loadWatch().then((next) => setWatch(() => next));
  }, [mayGetLong, watch]);
  const observe = useNearness({ watch: isLong ? watch : null, kept, setShown });
  const isWhole = !isLong || watch === 'failed' || (watch === null && !isLongAtFirst);
  const list = useMemo(
    () =>
      Array.from({ length: Math.ceil(count / chunkSize) }, (_, number) => {
        const from = number * chunkSize;
        const to = Math.min(count, from + chunkSize);
        const isShown = isWhole || shown.has(from);
        const height = kept.heights.get(from) ?? kept.heights.get(0) ?? estimatedRowHeight * (to - from);
        return { from, to, isShown, height: isShown ? 0 : height };
      }),
    [kept, count, chunkSize, estimatedRowHeight, isWhole, shown],
  );
  const show = useCallback((from: number) => setShown((before) => new Set([...before, from])), []);
  return { list, observe, show };
}

interface NearnessOptions {
  watch: Watch | 'failed' | null;
  kept: Kept;
  setShown: (next: (before: ReadonlySet<number>) => ReadonlySet<number>) => void;
}

/** Shows the chunks near the window and hides the others. Returns the function that observes a chunk. */
function useNearness({ watch, kept, setShown }: NearnessOptions): Chunks['observe'] {
  const elements = useRef(new Map<number, HTMLElement>());
  const running = useRef<NearnessWatch | null>(null);
  useEffect(() => {
    if (watch === null || watch === 'failed') return undefined;
    const current = watch({
      onHeight: (from, element, height) => keepHeight(kept, { from, element, height }),
      onChange: (near) => setShown((before) => (isSame(before, near) ? before : near)),
    });
    running.current = current;
    for (const [from, element] of elements.current) current.add(from, element);
    return () => {
      current.stop();
      running.current = null;
    };
  }, [watch, kept, setShown]);
  return useCallback((from: number, element: HTMLElement | null) => {
    const before = elements.current.get(from);
    if (before) running.current?.remove(before);
    if (element === null) elements.current.delete(from);
    else {
      elements.current.set(from, element);
      running.current?.add(from, element);
    }
  }, []);
}

interface MeasuredChunk {
  readonly from: number;
  readonly element: Element;
  readonly height: number;
}

/** A gap isn't measured, because its height may be an estimate. */
function keepHeight(kept: Kept, { from, element, height }: MeasuredChunk): void {
  if (kept.width !== window.innerWidth) kept.heights.clear();
  kept.width = window.innerWidth;
  if (element.querySelector('[hidden]') === null) kept.heights.set(from, height);
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

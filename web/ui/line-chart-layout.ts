import { SECOND_MS } from '#schema/constants.ts';

export interface LineChartPoint {
  /** ISO 8601. */
  readonly at: string;
  readonly value: number;
}

export interface LineChartMark extends LineChartPoint {
  /** A word or two, drawn beside the point. */
  readonly label: string;
  readonly tone: 'entry' | 'end' | 'peak';
}

/** A moment (unix seconds) and what stood there; without a value it only takes up its time. */
export interface Place {
  readonly time: number;
  readonly value?: number;
}

export interface PlacesWanted {
  /** As `joinLine` gives it. */
  readonly line: readonly LineChartPoint[];
  readonly marks: readonly LineChartMark[];
  /** Room at either end, as a part of the line, for the words at the first and the last mark. */
  readonly margin: number;
}

/** Into how many equal parts the time is cut: about the pixels of a phone's chart. */
const SLOTS = 300;

export function toUnixSeconds(at: string): number {
  return Math.floor(Date.parse(at) / SECOND_MS);
}

/** Points and marks as one line: oldest first, one value a second, and where both say something the mark's. */
export function joinLine(
  points: readonly LineChartPoint[],
  marks: readonly LineChartMark[] = [],
): LineChartPoint[] {
  const bySecond = new Map<number, LineChartPoint>();
  for (const { at, value } of [...points, ...marks]) {
    const time = toUnixSeconds(at);
    if (Number.isFinite(time) && Number.isFinite(value)) bySecond.set(time, { at, value });
  }
  return [...bySecond].sort(([one], [other]) => one - other).map(([, point]) => point);
}

/**
 * The places of a line for a library that gives every place the same room: equally long parts of time, each with its last
 * value or with none. Old closes are further apart than young ones; so a day is as wide as any other. What is marked stays, and
 * so do both ends. `margin` of the whole comes first without a value, in so many places; as many belong behind the last.
 */
export function placeInTime({ line, marks, margin: part }: PlacesWanted): {
  places: Place[];
  margin: number;
} {
  const first = line[0];
  const last = line.at(-1);
  if (first === undefined || last === undefined || line.length < 2) return { places: [], margin: 0 };
  const start = toUnixSeconds(first.at);
  const seconds = toUnixSeconds(last.at) - start + 1;
  const slots = Math.min(SLOTS, seconds);
  const kept = new Set([start, start + seconds - 1, ...marks.map(({ at }) => toUnixSeconds(at))]);
  const filled = Array.from({ length: slots }, (): Place[] => []);
  for (const { at, value } of line) {
    const time = toUnixSeconds(at);
    const slot = filled[Math.floor(((time - start) * slots) / seconds)];
    const before = slot?.at(-1);
    if (before !== undefined && !kept.has(before.time)) slot?.pop();
    slot?.push({ time, value });
  }
  const step = Math.max(1, Math.round(seconds / slots));
  const margin = Math.ceil(slots * part);
  const before = Array.from({ length: margin }, (_, index) => ({ time: start - (margin - index) * step }));
  const within = filled.flatMap((places, slot) =>
    places.length > 0 ? places : [{ time: start + Math.ceil((slot * seconds) / slots) }],
  );
  return { places: [...before, ...within], margin };
}

import { SECOND_MS } from '#schema/constants.ts';

export interface LineChartPoint {
  /** ISO 8601. */
  readonly at: string;
  readonly value: number;
}

export interface LineChartMark extends LineChartPoint {
  /** Short text beside the point. */
  readonly label: string;
  readonly tone: 'entry' | 'end' | 'peak';
}

/** A position on the time axis in unix seconds. Without a value, it is an empty slot. */
export interface Place {
  readonly time: number;
  readonly value?: number;
}

export interface PlacesInput {
  readonly line: readonly LineChartPoint[];
  readonly marks: readonly LineChartMark[];
  /** Space for labels at both ends, as a fraction of the line's width. */
  readonly margin: number;
}

/** The number of time slots, which is about the width of a phone's chart in pixels. */
const SLOTS = 300;

export function toUnixSeconds(at: string): number {
  return Math.floor(Date.parse(at) / SECOND_MS);
}

/**
 * Merges points and marks, oldest first. Keeps one value per second: the mark if there is one, otherwise the
 * last point.
 */
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
 * Resamples a line into time slots of equal length. The chart library draws all points at equal distances, but
 * older prices are further apart in time. Each slot keeps its last value. Marked points and the line's first
 * and last point are always kept.
 * @returns places after `margin` empty slots; the calling code must add the same number at the end
 */
export function placeInTime({ line, marks, margin: part }: PlacesInput): {
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

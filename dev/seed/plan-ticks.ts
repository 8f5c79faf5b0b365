import { LOG_ANCHOR_MS } from '#schema/constants/log.ts';
import { FOLLOWER_RECORD_DELAY_MS, MARK_DELAY_MS } from '#schema/constants/market.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { SeededCaller } from './fixtures.ts';
import type { PlannedCall } from './plan-calls.ts';

/** A run of the cron, and the jobs that it runs. */
export interface PlannedTick {
  readonly at: number;
  readonly jobs: 'all' | ReadonlySet<JobGroup>;
}

export type JobGroup = 'marks' | 'log' | 'anchor' | 'prices';

interface PlanTicksOptions {
  readonly callers: readonly SeededCaller[];
  readonly calls: readonly PlannedCall[];
  readonly from: number;
  readonly now: number;
}

const ALL_JOBS_EVERY_MS = DAY_MS;
/** How far apart closing prices of an age are. */
const CLOSES = [
  { fromAgeMs: 5 * DAY_MS, toAgeMs: Infinity, everyMs: 6 * HOUR_MS },
  { fromAgeMs: DAY_MS, toAgeMs: 5 * DAY_MS, everyMs: HOUR_MS },
  { fromAgeMs: 0, toAgeMs: DAY_MS, everyMs: HOUR_MS / 2 },
] as const;

const nextMinute = (at: number) => Math.floor(at / MINUTE_MS + 1) * MINUTE_MS;
const nextAnchor = (at: number) => Math.floor(at / LOG_ANCHOR_MS + 1) * LOG_ANCHOR_MS;

/**
 * Plans the cron's runs that leave something behind: those that log and anchor an act, read a call's marks, or record a
 * closing price. All 86,000 minutes would take an hour. On the last day, an anchor follows every hour, as in production.
 */
export function planTicks({ callers, calls, from, now }: PlanTicksOptions): PlannedTick[] {
  const openedOrEnded = calls.flatMap(({ calledAt, endedAt }) =>
    endedAt === null ? [calledAt] : [calledAt, endedAt],
  );
  const results = calls.flatMap(({ endedAt }) =>
    endedAt === null ? [] : [nextMinute(endedAt + FOLLOWER_RECORD_DELAY_MS)],
  );
  const logged = [
    ...callers.map(({ joinedAt }) => joinedAt),
    ...openedOrEnded,
    ...calls.flatMap(({ updates }) => updates.map(({ at }) => at)),
    ...results,
  ];
  const all = timesBetween({ from, now, everyMs: ALL_JOBS_EVERY_MS });
  const jobs = new Map<number, 'all' | Set<JobGroup>>();
  const add = (at: number, group: JobGroup) => {
    const groups = jobs.get(at) ?? new Set<JobGroup>();
    if (groups !== 'all') jobs.set(at, groups.add(group));
  };
  // The next minute's checkpoint has a new act.
  for (const at of [...logged, ...all]) add(nextMinute(at), 'log');
  const hours = timesBetween({ from: Math.max(from, now - DAY_MS), now, everyMs: HOUR_MS });
  // The minute after an anchor finalizes it.
  for (const at of [...anchorTimes([...logged, ...all]), ...all, ...hours]) {
    for (const tick of [at, at + MINUTE_MS]) add(tick, 'anchor');
  }
  for (const at of openedOrEnded) add(nextMinute(at + MARK_DELAY_MS), 'marks');
  for (const at of results) add(at, 'marks');
  // The product takes a price as a peak once the next minute confirms it.
  for (const at of [...closeTimes({ from, now }), ...all.map((time) => time + MINUTE_MS)]) add(at, 'prices');
  for (const at of all) jobs.set(at, 'all');
  return [...jobs]
    .map(([at, needed]) => ({ at, jobs: needed }))
    .filter(({ at }) => at < now)
    .toSorted((one, other) => one.at - other.at);
}

/** Times of anchors, so that each act has an anchor within ten minutes. An end and its result share an anchor. */
function anchorTimes(logged: readonly number[]): number[] {
  const times: number[] = [];
  for (const at of logged.toSorted((one, other) => one - other)) {
    if (nextMinute(at) >= (times.at(-1) ?? 0)) times.push(nextAnchor(at + LOG_ANCHOR_MS));
  }
  return times;
}

function closeTimes({ from, now }: { from: number; now: number }): number[] {
  return CLOSES.flatMap(({ fromAgeMs, toAgeMs, everyMs }) =>
    timesBetween({ from: Math.max(from, now - toAgeMs), now: now - fromAgeMs, everyMs }),
  );
}

function timesBetween({ from, now, everyMs }: { from: number; now: number; everyMs: number }): number[] {
  const first = Math.ceil(from / everyMs);
  const count = Math.max(0, Math.ceil(now / everyMs) - first);
  return Array.from({ length: count }, (_, index) => (first + index) * everyMs);
}

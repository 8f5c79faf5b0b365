import { LOG_ANCHOR_MS } from '#schema/constants/log.ts';
import { HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { hashText, hashToUnit } from '../stand-ins/market/noise.ts';

/**
 * The callers act in the same minute of every few hours. The acts of a minute share the cron's runs, a checkpoint and an
 * anchor; acts at any time would need ten times as many of each.
 */
const BUSY_EVERY_MS = 4 * HOUR_MS;
const ANCHORS = BUSY_EVERY_MS / LOG_ANCHOR_MS;

/** The key's time in a busy minute at or after `at` (unix ms), at most eight hours later. */
export const firstBusyTime = (at: number, key: string): number =>
  timesAround(at, key).find((time) => time >= at) ?? at;

/** The key's time in a busy minute at or before `at` (unix ms), at most eight hours earlier. */
export const lastBusyTime = (at: number, key: string): number =>
  timesAround(at, key).findLast((time) => time <= at) ?? at;

function timesAround(at: number, key: string): number[] {
  const period = Math.floor(at / BUSY_EVERY_MS);
  const within = Math.floor(hashToUnit(`within a busy minute ${key}`) * MINUTE_MS);
  return [period - 1, period, period + 1].map(
    (each) => each * BUSY_EVERY_MS + (hashText(`busy minute ${each}`) % ANCHORS) * LOG_ANCHOR_MS + within,
  );
}

import type { Ability } from '#schema/rules/running/outages.ts';
import type { Pause } from './pauses.ts';

/** Something that users can't do now, although nobody has paused it. */
export interface Outage {
  readonly ability: Ability;
  /** ISO 8601. */
  readonly since: string;
}

/** Response of `GET /api/status`. */
export interface Status {
  readonly pauses: readonly Pause[];
  readonly outages: readonly Outage[];
}

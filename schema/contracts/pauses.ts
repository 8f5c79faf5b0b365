import type { PAUSABLE } from '#schema/constants/running.ts';

export type Pausable = (typeof PAUSABLE)[number];

/** Something that operators have paused for everybody. */
export interface Pause {
  readonly kind: Pausable;
  /** Written by an operator for everybody. */
  readonly reason: string;
  /** ISO 8601. */
  readonly since: string;
}

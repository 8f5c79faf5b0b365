import type { LIVE_TOPICS } from '#schema/constants.ts';

export type LiveTopic = (typeof LIVE_TOPICS)[number];

export interface PeopleChange {
  readonly userIds: readonly string[];
  readonly topic: Exclude<LiveTopic, 'calls'>;
}

/** The changes that a hub passes to open pages. */
export interface LiveEvents {
  /** Calls of these callers were opened, updated or ended. */
  callersChanged(callerIds: readonly string[]): Promise<void>;
  /** Data of these users has changed. */
  peopleChanged(change: PeopleChange): Promise<void>;
}

/** Notifies open pages of changes. Never throws or waits, so that a change doesn't depend on the notification. */
export interface Live {
  callersChanged(callerIds: readonly string[]): void;
  peopleChanged(change: PeopleChange): void;
}

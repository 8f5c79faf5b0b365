import type { LIVE_TOPICS } from '#schema/constants.ts';

export type LiveTopic = (typeof LIVE_TOPICS)[number];

export interface PeopleChange {
  readonly userIds: readonly string[];
  readonly topic: Exclude<LiveTopic, 'calls'>;
}

/** The changes that a hub passes on. */
export interface LiveEvents {
  /** Calls of these callers were opened, updated or ended. */
  callersChanged(callerIds: readonly string[]): Promise<void>;
  /** Something of these people themselves has changed. */
  peopleChanged(change: PeopleChange): Promise<void>;
}

/** Tells open pages that something has changed. Never throws and never waits, because a change must not depend on it. */
export interface Live {
  callersChanged(callerIds: readonly string[]): void;
  peopleChanged(change: PeopleChange): void;
}

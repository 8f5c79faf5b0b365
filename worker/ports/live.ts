import type { LIVE_TOPICS } from '#schema/constants/messages.ts';
import type { ChangedCall } from '#schema/contracts/live.ts';

export type LiveTopic = (typeof LIVE_TOPICS)[number];

export interface PeopleChange {
  readonly userIds: readonly string[];
  readonly topic: Exclude<LiveTopic, 'calls'>;
}

export interface CallChange {
  readonly callerId: string;
  readonly callId: string;
}

/** `changed`: null if pages must fetch the call themselves. */
export interface DescribedChange {
  readonly callerId: string;
  readonly changed: ChangedCall | null;
}

export interface LiveEvents {
  callsChanged(changes: readonly DescribedChange[]): Promise<void>;
  peopleChanged(change: PeopleChange): Promise<void>;
}

/** Notifies open pages of changes. Never throws or waits, so that a change doesn't depend on the notification. */
export interface Live {
  callsChanged(changes: readonly CallChange[]): void;
  peopleChanged(change: PeopleChange): void;
}

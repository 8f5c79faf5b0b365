import type { Outage } from '#schema/contracts/status.ts';
import type { Ability } from '#schema/rules/running/outages.ts';
import type { Failure, Outcomes } from '#schema/rules/running/outages.ts';

/** Collects whether users could do what they tried. */
export interface UserOutcomes {
  /** @param failure null if it worked. `person` is hashed before it's stored. */
  note(ability: Ability, failure: Omit<Failure, 'at'> | null): void;
}

/** The findings of an isolate's users and of our own probes. Without an entry, there is no news about an ability. */
export interface OutageReport {
  readonly outcomes?: Partial<Readonly<Record<Ability, Outcomes>>>;
  /** The causes of failed probes; null for those that succeeded. */
  readonly probes?: Partial<Readonly<Record<Ability, string | null>>>;
  /** Unix ms. */
  readonly at: number;
}

export interface KnownOutage extends Outage {
  readonly cause: string;
}

/** An alarm as operators read it. */
export interface KeptAlarm {
  readonly kind: string;
  readonly text: string;
  /** Unix ms. */
  readonly at: number;
}

/** Both return what users can't do now. */
export interface OutageReports {
  report(report: OutageReport): Promise<readonly KnownOutage[]>;
  listOutages(): Promise<readonly KnownOutage[]>;
}

import {
  type ABILITIES,
  OUTAGE_PEOPLE,
  OUTAGE_STREAK,
  OUTAGE_WINDOW_MS,
  REFUSAL_REMEMBERED_MS,
} from '#schema/constants/running.ts';

/** Something that users do. */
export type Ability = (typeof ABILITIES)[number];

/** A user's request that failed because of a third party or our storage. */
export interface Failure {
  readonly person: string;
  /** Unix ms. */
  readonly at: number;
  readonly cause: string;
  /** The third party refused us, not this person. */
  readonly isAboutUs?: boolean;
}

/** Failures in a row: how many, from when to when, and why the last one failed. */
interface Streak {
  readonly failures: number;
  readonly since: number;
  readonly until: number;
  readonly cause: string;
}

/** The results that decide whether users can do something. Times are unix ms; 0 stands for never. */
export interface Evidence {
  /** The last failure of each user, oldest first. */
  readonly failures: readonly Failure[];
  readonly succeededAt: number;
  readonly probe: Streak | null;
  /** A third party's refusals of us. A probe may ask for something else, so its success doesn't end them. */
  readonly refusal: Streak | null;
}

export const NO_EVIDENCE: Evidence = { failures: [], succeededAt: 0, probe: null, refusal: null };

/** The results of users' requests since the last report. */
export interface Outcomes {
  readonly failures: readonly Failure[];
  readonly succeededAt: number;
}

export const NO_OUTCOMES: Outcomes = { failures: [], succeededAt: 0 };

/** True if the evidence matters: without failures, users can do it. */
export const hasFailures = ({ failures, probe, refusal }: Evidence): boolean =>
  failures.length > 0 || probe !== null || refusal !== null;

/** Keeps one recent failure per user, and only as many as the rule needs. */
export function addOutcomes(evidence: Evidence, outcomes: Outcomes, now: number): Evidence {
  const { failures } = outcomes;
  const succeededAt = Math.max(evidence.succeededAt, outcomes.succeededAt);
  const byPerson = new Map<string, Failure>();
  for (const failure of [...evidence.failures, ...failures]) {
    byPerson.delete(failure.person);
    byPerson.set(failure.person, failure);
  }
  const refusals = failures.filter((failure) => failure.isAboutUs === true && failure.at > succeededAt);
  const { refusal } = evidence;
  const isRemembered = refusal !== null && refusal.until > now - REFUSAL_REMEMBERED_MS;
  const earlier = isRemembered && refusal.since > succeededAt ? refusal : null;
  return {
    ...evidence,
    failures: [...byPerson.values()].filter(({ at }) => at > now - OUTAGE_WINDOW_MS).slice(-OUTAGE_PEOPLE),
    succeededAt,
    refusal: refusals.reduce<Streak | null>(extend, earlier),
  };
}

/** @param cause null if the probe succeeded */
export function addProbe(evidence: Evidence, cause: string | null, at: number): Evidence {
  return { ...evidence, probe: cause === null ? null : extend(evidence.probe, { cause, at }) };
}

function extend(streak: Streak | null, { cause, at }: Pick<Failure, 'cause' | 'at'>): Streak {
  return { failures: (streak?.failures ?? 0) + 1, since: streak?.since ?? at, until: at, cause };
}

/** Since when users can't do it, and why; null if they can, or if nobody knows. */
export function outageOf(
  { failures, succeededAt, probe, refusal }: Evidence,
  now: number,
): { readonly since: number; readonly cause: string } | null {
  for (const streak of [probe, refusal]) {
    const successCountsFrom = Math.max(streak?.since ?? 0, now - OUTAGE_WINDOW_MS);
    const isOutage = streak !== null && streak.failures >= OUTAGE_STREAK && succeededAt < successCountsFrom;
    if (isOutage) return { since: streak.since, cause: streak.cause };
  }
  const [first] = failures;
  const last = failures.at(-1);
  if (!first || !last || failures.length < OUTAGE_PEOPLE || succeededAt > now - OUTAGE_WINDOW_MS) return null;
  return { since: first.at, cause: last.cause };
}

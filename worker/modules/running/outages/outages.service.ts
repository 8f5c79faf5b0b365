import { OUTAGE_PEOPLE, OUTCOMES_REPORT_MS } from '#schema/constants/running.ts';
import type { Outage } from '#schema/contracts/status.ts';
import type { Ability, Outcomes } from '#schema/rules/running/outages.ts';
import type { Base } from '../../../app/base.ts';
import type { KnownOutage, OutageReports, UserOutcomes } from '../../../ports/outages.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { hashToken } from '../../../shared/secrets.ts';
import { createProbes, type ProbesOptions } from './probes.ts';

/** Enough for the rule, however many users fail. */
const MAX_FAILURES = 20;

interface OutagesOptions extends ProbesOptions, Pick<Base, 'clock' | 'lifetime'> {
  readonly reports: OutageReports;
}

/** Counts this isolate's outcomes, and reports them at most once a minute. Each report's response lists the outages. */
export function createOutagesService(options: OutagesOptions) {
  const { reports, lifetime, clock } = options;
  const ask = createProbes(options);
  let reportedAt = Number.NEGATIVE_INFINITY;
  let known: readonly KnownOutage[] = [];
  let news: Partial<Record<Ability, Outcomes>> = {};

  const takeNews = () => {
    const outcomes = news;
    news = {};
    return outcomes;
  };
  const report = async () => {
    try {
      known = await reports.report({ outcomes: takeNews(), at: clock.now() });
    } catch (error) {
      console.warn(JSON.stringify({ event: 'outcomes.unreported', error: describeError(error) }));
    }
  };

  return {
    note(ability, failure) {
      const now = clock.now();
      const { failures, succeededAt } = news[ability] ?? { failures: [], succeededAt: 0 };
      news[ability] =
        failure === null
          ? { failures, succeededAt: now }
          : {
              failures: [
                ...failures.slice(-MAX_FAILURES),
                { ...failure, person: hashToken(failure.person), at: now },
              ],
              succeededAt,
            };
      // Without further requests, failures that wait for the next minute would stay unheard.
      const isTelling = failure !== null && news[ability]?.failures.length === OUTAGE_PEOPLE - 1;
      if (now - reportedAt < OUTCOMES_REPORT_MS && !isTelling) return;
      reportedAt = now;
      lifetime.keepAlive(report());
    },

    /** As of this isolate's last report. */
    lastKnown: (): Outage[] => known.map(withoutCause),

    list: async (): Promise<Outage[]> => (await reports.listOutages()).map(withoutCause),

    async probe(): Promise<void> {
      known = await reports.report({ outcomes: takeNews(), probes: await ask(), at: clock.now() });
    },
  } satisfies UserOutcomes & Record<string, unknown>;
}

const withoutCause = ({ ability, since }: KnownOutage): Outage => ({ ability, since });

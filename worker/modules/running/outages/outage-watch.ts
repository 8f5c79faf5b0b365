import { ABILITIES, OUTAGE_REMINDER_MS } from '#schema/constants/running.ts';
import {
  addOutcomes,
  addProbe,
  hasFailures,
  NO_EVIDENCE,
  NO_OUTCOMES,
  outageOf,
  type Ability,
  type Evidence,
} from '#schema/rules/running/outages.ts';
import { ABILITY_TEXTS, describeOutage } from '#schema/rules/text/alarm-texts.ts';
import type { KnownOutage, OutageReport, OutageReports } from '../../../ports/outages.ts';
import type { Alarm } from '../../../shared/alarms.ts';

interface State {
  readonly evidence: Evidence;
  /** Null while users can do it. */
  readonly outage: { readonly since: number; readonly cause: string; readonly alarmedAt: number } | null;
}

const INITIAL: State = { evidence: NO_EVIDENCE, outage: null };

/** The storage of a Durable Object. */
export interface OutageStore {
  get<Value>(key: string): Promise<Value | undefined>;
  put(key: string, value: State): Promise<void>;
}

interface OutageWatchOptions {
  readonly store: OutageStore;
  readonly raise: (alarm: Alarm) => Promise<unknown>;
}

/** Decides what users can't do, and raises an alarm when that begins and when it's over. It has one instance. */
export function createOutageWatch({ store, raise }: OutageWatchOptions): OutageReports {
  const states = new Map<Ability, State>();
  const read = async (ability: Ability): Promise<State> =>
    states.get(ability) ?? (await store.get<State>(ability)) ?? INITIAL;

  async function update(ability: Ability, { outcomes, probes, at }: OutageReport): Promise<void> {
    const before = await read(ability);
    const news = outcomes?.[ability];
    const probe = probes?.[ability];
    const heard = addOutcomes(before.evidence, news ?? NO_OUTCOMES, at);
    const evidence = probe === undefined ? heard : addProbe(heard, probe, at);
    const found = outageOf(evidence, at);
    const isDue = before.outage === null || at - before.outage.alarmedAt >= OUTAGE_REMINDER_MS;
    const alarmedAt = isDue ? at : before.outage.alarmedAt;
    const outage = found && { ...found, since: before.outage?.since ?? found.since, alarmedAt };
    const state: State = { evidence, outage };
    states.set(ability, state);
    // While nothing fails, there is nothing to remember.
    if (hasFailures(before.evidence) || hasFailures(evidence)) await store.put(ability, state);
    if (outage !== null && isDue) await raise(alarmOf(ability, outage));
    if (outage === null && before.outage !== null) await raise(overOf(ability, before.outage));
  }

  async function listOutages(): Promise<readonly KnownOutage[]> {
    const known = await Promise.all(
      ABILITIES.map(async (ability) => ({ ability, outage: (await read(ability)).outage })),
    );
    return known.flatMap(({ ability, outage }) =>
      outage === null ? [] : [{ ability, cause: outage.cause, since: new Date(outage.since).toISOString() }],
    );
  }

  return {
    async report(report) {
      for (const ability of ABILITIES) await update(ability, report);
      return listOutages();
    },

    listOutages,
  };
}

function alarmOf(ability: Ability, { since, cause }: NonNullable<State['outage']>): Alarm {
  return { kind: 'outage', details: { ability, cause }, text: describeOutage({ ability, since, cause }) };
}

function overOf(ability: Ability, { since }: NonNullable<State['outage']>): Alarm {
  const effect = `Users can ${ABILITY_TEXTS[ability]} again.`;
  const details = { ability, since: new Date(since).toISOString() };
  return { kind: 'outage.over', details, text: { effect, act: 'Nothing.' } };
}

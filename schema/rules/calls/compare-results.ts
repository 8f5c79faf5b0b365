import { toDay } from '#schema/rules/text/utc-day.ts';
import { calculate, type Calculation, type CopiedCall, type CopiedCaller } from './calculator.ts';

export interface ComparedResults<Shown> {
  readonly stakeUsd: number;
  /** The first day (UTC, 'YYYY-MM-DD') with a call of one of the callers. Null without calls. */
  readonly firstDay: string | null;
  readonly since: string;
  readonly callers: readonly (Shown & { readonly result: Omit<Calculation, 'points'> })[];
}

interface CompareOptions {
  readonly stakeUsd: number;
  /** By default the first day on which all callers had made a call, because a longer record isn't a better one. */
  readonly since?: string | undefined;
  readonly until: number;
}

/** Calculates with the same amount for each call of each caller, since the start of the same day. */
export function compareResults<Shown>(
  callers: readonly (CopiedCaller & Shown)[],
  { stakeUsd, since: chosen, until }: CompareOptions,
): ComparedResults<Omit<Shown, keyof CopiedCaller>> {
  const firstDays = callers.flatMap(({ calls }) => firstDay(calls) ?? []).toSorted();
  const since = chosen ?? firstDays.at(-1) ?? toDay(until);
  const start = Math.max(Date.parse(since), Date.parse(firstDays[0] ?? since));
  return {
    stakeUsd,
    firstDay: firstDays[0] ?? null,
    since,
    callers: callers.map(({ calls, fees, ...shown }) => {
      const copied = { callers: [{ calls, fees }], stakeUsd, since: start, until };
      const { points: _, ...result } = calculate(copied);
      return { ...shown, result };
    }),
  };
}

export function firstDay(calls: readonly CopiedCall[]): string | null {
  if (calls.length === 0) return null;
  return toDay(Math.min(...calls.map(({ callTimestamp }) => Date.parse(callTimestamp))));
}

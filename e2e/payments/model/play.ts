import fc from 'fast-check';
import { histories } from './arbitraries.ts';
import { endHistory } from './end.ts';
import { beginHistory } from './history.ts';
import { Violation } from './row-invariants.ts';
import { readMoment, type Play } from './steps.ts';
import type { Tally } from '../commands/run-options.ts';

const MAX_STEPS = 50;

/** Plays random histories and counts their events. @throws Violation */
export async function playHistories({
  tally,
  ...parameters
}: {
  tally: Tally;
  seed: number;
  numRuns: number;
  path?: string;
  endOnFailure: boolean;
}): Promise<void> {
  const property = fc.asyncProperty(histories(MAX_STEPS), fc.scheduler(), async (steps, scheduler) => {
    const history = await beginHistory();
    const play: Play = {
      history,
      scheduler,
      moment: await readMoment(history),
      expectedAccess: undefined,
      steps: 0,
      maxSteps: MAX_STEPS,
    };
    try {
      await fc.asyncModelRun(() => ({ model: play, real: play }), steps);
      await endHistory(play);
      count(tally, play);
    } catch (error) {
      const problem =
        error instanceof Violation
          ? error.message
          : `${String(error)}\n${error instanceof Error ? error.stack : ''}`;
      throw new Violation(`${problem}\n${history.trace.join('\n')}`, { cause: error });
    } finally {
      history.end();
    }
  });
  await fc.assert(property, parameters);
}

function count(tally: Tally, { history, moment, steps }: Play): void {
  tally.histories += 1;
  tally.steps += steps;
  for (const kind of ['granted', 'settled', 'moved', 'revoked'] as const) {
    tally[kind] += moment.rows.ledger.filter((line) => line.kind === kind).length;
  }
  tally.orphans += moment.rows.orphans.length;
  tally.died += history.trace.filter((line) => line.includes('died')).length;
  tally.atOnce += history.trace.filter((line) => line.includes('at once')).length;
  tally.chainFailures += history.faults.struck;
}

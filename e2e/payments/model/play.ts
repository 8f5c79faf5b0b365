import fc from 'fast-check';
import { histories } from './arbitraries.ts';
import { endHistory } from './end.ts';
import { beginHistory } from './history.ts';
import type { Snapshot } from './repaired.ts';
import { Violation } from './row-invariants.ts';
import { readSnapshot, type Play } from './steps.ts';
import { VERSIONS } from './transactions.ts';
import type { Counts } from '../commands/run-options.ts';

const MAX_STEPS = 50;

/** Plays random histories and counts their events. @throws Violation */
export async function playHistories(counts: Counts, parameters: fc.Parameters<unknown>): Promise<void> {
  const property = fc.asyncProperty(histories(MAX_STEPS), fc.scheduler(), async (steps, scheduler) => {
    const history = await beginHistory();
    const play: Play = {
      history,
      scheduler,
      timestamp: await readSnapshot(history),
      expectedAccess: undefined,
      steps: 0,
      maxSteps: MAX_STEPS,
    };
    try {
      await fc.asyncModelRun(() => ({ model: play, real: play }), steps);
      await endHistory(play);
      count(counts, play);
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

const countPaid = ({ payments, intents }: Snapshot['rows'], days: number) =>
  payments.filter(({ intent_id }) => intents.some((each) => each.id === intent_id && each.days === days))
    .length;

function count(counts: Counts, { history, timestamp: { rows, chain }, steps }: Play): void {
  const { trace, faults, nodes, transactions } = history;
  const kinds = ['granted', 'finalized', 'moved', 'revoked', 'refunded'];
  const found = {
    histories: 1,
    steps,
    ...Object.fromEntries(
      kinds.map((kind) => [kind, rows.ledger.filter((line) => line.kind === kind).length]),
    ),
    ...Object.fromEntries(
      VERSIONS.map((version) => [
        `version ${version}`,
        transactions.filter((each) => each.version === version && chain.landed(each)).length,
      ]),
    ),
    refused: nodes.refused.size,
    'refused, then paid': rows.payments.filter(({ signature }) => nodes.refused.has(signature)).length,
    disagreements: nodes.disagreements,
    ...Object.fromEntries([7, 30, 90].map((days) => [`${days} days`, countPaid(rows, days)])),
    'silent days': rows.silentDays.length,
    leaving: trace.filter((line) => /leave \w+ true: ok/.test(line)).length,
    'took back': trace.filter((line) => /leave \w+ false: ok/.test(line)).length,
    orphans: rows.orphans.length,
    died: trace.filter((line) => line.includes('died')).length,
    atOnce: trace.filter((line) => line.includes('at once')).length,
    chainFailures: faults.struck,
  };
  for (const [name, number] of Object.entries(found)) counts[name] = (counts[name] ?? 0) + number;
}

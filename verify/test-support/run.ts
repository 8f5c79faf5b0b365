import { verifyRecord } from '../record.ts';
import type { Verdict } from '../report.ts';
import { verifyWholeLog } from '../whole-log.ts';
import {
  caseOf,
  startOf,
  storeWith,
  tampers,
  wholeLogTampers,
  type Case,
  type TamperedCase,
} from './tamper.ts';

const optionsOf = ({ site, store, now, pinnedKey, handle }: Case) => ({
  source: site.source,
  callRpc: site.callRpc,
  store,
  now,
  handle,
  ...(pinnedKey === undefined ? {} : { pinnedKey }),
});

export const verifyCase = (one: Case) => verifyRecord(optionsOf(one));
export const scanCase = (one: Case) => verifyWholeLog(optionsOf(one));

/** Describes the manipulation that the verifier missed; null if it found the right reason. */
function missed({ reason, names }: TamperedCase, { failures }: Verdict): string | null {
  const isFound = failures.some((failure) => failure.reason === reason && failure.message.includes(names));
  return isFound ? null : `expected ${reason} "${names}", got ${JSON.stringify(failures)}`;
}

interface Round {
  readonly seed: number;
  readonly count: number;
  readonly calls?: number;
}

async function tamperWith(kind: 'record' | 'whole', { seed, count, calls }: Round): Promise<string[]> {
  const all = Object.entries(kind === 'record' ? tampers : wholeLogTampers);
  const misses: string[] = [];
  let done = 0;
  for (let next = seed; done < count; next += 1) {
    const [name, tamper] = all[next % all.length] as (typeof all)[number];
    const tampered = tamper(startOf(next, calls));
    if (tampered === null) continue;
    done += 1;
    const miss = missed(tampered, await (kind === 'record' ? verifyCase : scanCase)(tampered));
    if (miss !== null) misses.push(`${name} (seed ${next}): ${miss}`);
  }
  return misses;
}

/** Returns the tampered logs that the verifier accepted, or refused for another reason. */
export const missedTampers = (round: Round) => tamperWith('record', round);
export const missedWholeLogTampers = (round: Round) => tamperWith('whole', round);

/** Returns the honest logs that the verifier refused, and those that it didn't check completely. */
export async function falseAlarms({ seed, count, calls }: Round): Promise<string[]> {
  const alarms: string[] = [];
  for (let next = seed; next < seed + count; next += 1) {
    const { log, plan, caller, random } = startOf(next, calls);
    const seen = log.sizes[random(0, log.sizes.length - 1)] as number;
    const honest = { ...caseOf(log, { caller, plan }), store: storeWith(log, seen, plan.now - 1_000) };
    const isWhole = next % 10 === 0;
    const { failures } = await (isWhole ? scanCase(honest) : verifyCase(honest));
    if (failures.length > 0) alarms.push(`seed ${next}: ${JSON.stringify(failures)}`);
  }
  return alarms;
}

import { createBank, type Bank, type LandedTransaction } from './bank.ts';
import { createHistory, type History } from './history.ts';
import type { SlotClock } from './slot-clock.ts';
import { createStateView, type StateView } from './state-view.ts';
import type { WireTransaction } from './wire.ts';

/** The state that a fork discards and rebuilds. */
export interface Replay {
  bank: Bank;
  history: History;
  view: StateView;
}

export function createReplay(options: Parameters<typeof createBank>[0], clock: SlotClock): Replay {
  const bank = createBank(options);
  return { bank, history: createHistory(), view: createStateView(bank.vm, clock) };
}

export function land(
  { bank, history, view }: Replay,
  wire: WireTransaction,
  time: { slot: number; at: number },
): LandedTransaction | undefined {
  const applied = bank.apply(wire, time);
  if (applied === undefined) return undefined;
  history.add(applied.landed);
  view.remember(applied.landed.slot, applied.preStates);
  return applied.landed;
}

/** Executes all transactions of `from` except `forgotten`. Returns the signatures that are no longer in a block. */
export function replayWithout(forgotten: string, { from, to }: { from: History; to: Replay }): string[] {
  const vanished = [forgotten];
  for (const { signature, wire, slot, at, execution } of from.all()) {
    if (signature === forgotten) continue;
    const applied = to.bank.apply(wire, { slot, at });
    if (applied === undefined) {
      vanished.push(signature);
      continue;
    }
    const failsNow = applied.landed.execution.error !== null && execution.error === null;
    if (failsNow) {
      to.bank.undo(applied.preStates);
      vanished.push(signature);
      continue;
    }
    to.history.add(applied.landed);
    to.view.remember(slot, applied.preStates);
  }
  return vanished;
}

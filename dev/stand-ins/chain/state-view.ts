import type { PreStates } from './bank.ts';
import type { SlotClock, Commitment } from './slot-clock.ts';
import type { AccountState, Vm } from './vm.ts';

export type StateView = ReturnType<typeof createStateView>;

/**
 * Accounts as of the newest confirmed or finalized slot. Computed from the newest state by undoing later
 * writes.
 */
export function createStateView(vm: Vm, clock: SlotClock) {
  let unfinalized: { slot: number; preStates: PreStates }[] = [];

  function overwrittenSince(commitment: Commitment): Map<string, AccountState | undefined> {
    const slot = clock.slot(commitment);
    const states = new Map<string, AccountState | undefined>();
    for (const each of unfinalized) {
      if (each.slot <= slot) continue;
      for (const [address, state] of each.preStates) {
        if (!states.has(address)) states.set(address, state);
      }
    }
    return states;
  }

  return {
    /** Keeps the overwritten state until the slot is finalized. */
    remember(slot: number, preStates: PreStates) {
      const finalized = clock.slot('finalized');
      unfinalized = unfinalized.filter((each) => each.slot > finalized);
      if (slot > finalized) unfinalized.push({ slot, preStates });
    },
    account(address: string, commitment: Commitment) {
      const overwritten = overwrittenSince(commitment);
      return overwritten.has(address) ? overwritten.get(address) : vm.account(address);
    },
    accountsOwnedBy(program: string, commitment: Commitment) {
      const owned = vm.accountsOwnedBy(program);
      for (const [address, state] of overwrittenSince(commitment)) {
        if (state?.owner === program) owned.set(address, state);
        else owned.delete(address);
      }
      return owned;
    },
  };
}

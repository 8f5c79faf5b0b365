import type { LandedTransaction } from './bank.ts';

export type History = ReturnType<typeof createHistory>;

export function createHistory() {
  const bySignature = new Map<string, LandedTransaction>();
  const byAddress = new Map<string, LandedTransaction[]>();
  return {
    add(transaction: LandedTransaction) {
      bySignature.set(transaction.signature, transaction);
      for (const key of new Set(transaction.keys)) {
        const list = byAddress.get(key);
        if (list === undefined) byAddress.set(key, [transaction]);
        else list.push(transaction);
      }
    },
    has: (signature: string) => bySignature.has(signature),
    get: (signature: string) => bySignature.get(signature),
    /** All transactions that name the address, oldest first. Includes transactions that only read it. */
    naming: (address: string) => byAddress.get(address) ?? [],
    all: () => bySignature.values(),
  };
}

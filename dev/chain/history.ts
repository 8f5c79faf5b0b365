import type { LandedTransaction } from './bank.ts';

export interface History {
  add(transaction: LandedTransaction): void;
  has(signature: string): boolean;
  get(signature: string): LandedTransaction | undefined;
  /** All transactions that name the address, oldest first. Includes transactions that only read it. */
  naming(address: string): readonly LandedTransaction[];
  all(): Iterable<LandedTransaction>;
}

export function createHistory(): History {
  const bySignature = new Map<string, LandedTransaction>();
  const byAddress = new Map<string, LandedTransaction[]>();
  return {
    add(transaction) {
      bySignature.set(transaction.signature, transaction);
      for (const key of new Set(transaction.keys)) {
        const list = byAddress.get(key);
        if (list === undefined) byAddress.set(key, [transaction]);
        else list.push(transaction);
      }
    },
    has: (signature) => bySignature.has(signature),
    get: (signature) => bySignature.get(signature),
    naming: (address) => byAddress.get(address) ?? [],
    all: () => bySignature.values(),
  };
}

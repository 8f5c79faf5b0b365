/** X's prices in thousandths of a US dollar. */
export const PRICES = { readUser: 10, post: 15, postWithLink: 200 } as const;

/** The prepaid credits of the product's app. Without a balance set by a test, they never run out. */
export interface Credits {
  set(usd: number): void;
  reset(): void;
  /** Pays for a request. Returns false if the balance is too low. */
  take(price: number): boolean;
}

export function createCredits(): Credits {
  let balance: number | null = null;
  return {
    set(usd) {
      balance = Math.round(usd * 1000);
    },
    reset() {
      balance = null;
    },
    take(price) {
      if (balance === null) return true;
      if (balance < price) return false;
      balance -= price;
      return true;
    },
  };
}

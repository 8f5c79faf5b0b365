/** X's prices in thousandths of a US dollar. */
export const PRICES = { readUser: 10, post: 15, postWithLink: 200 } as const;

export type Credits = ReturnType<typeof createCredits>;

export function createCredits() {
  let balance: number | null = null;
  return {
    set(usd: number) {
      balance = Math.round(usd * 1000);
    },
    reset() {
      balance = null;
    },
    /** Pays for a request. Returns false if the balance is too low. */
    take(price: number) {
      if (balance === null) return true;
      if (balance < price) return false;
      balance -= price;
      return true;
    },
  };
}

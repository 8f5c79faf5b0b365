import type { Keypair } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { TRANSACTIONS_LIMIT } from '#schema/constants.ts';
import type { WalletTransaction } from '#schema/contracts/wallets.ts';
import { formatUnits } from '#schema/rules/units.ts';
import { readAnswer } from '../../../test-support/answers.ts';
import { proveWallet } from '../../../test-support/callers.ts';
import { readStatuses } from '../../../test-support/chain.ts';
import { createTradingWorld, type Made, makeMix } from '../../../test-support/mixed-transactions.ts';
import { settle } from '../../../test-support/payments.ts';
import { createTestApp, type Person } from '../../../test-support/test-app.ts';

const SLOT_MS = 400;

/** Sorts each transaction's buys by mint, because their order doesn't matter. */
function inOrder<Row extends { signature: string; mint: string }>(rows: readonly Row[]): Row[] {
  const places = new Map(
    [...new Set(rows.map(({ signature }) => signature))].map((signature, index) => [signature, index]),
  );
  return rows.toSorted(
    (one, other) =>
      (places.get(one.signature) ?? 0) - (places.get(other.signature) ?? 0) ||
      one.mint.localeCompare(other.mint),
  );
}

/** Computes the expected buys among the newest `limit` transactions of a user's wallets, newest first. */
function expected({
  made,
  owners,
  limit,
}: {
  made: readonly Made[];
  owners: readonly Keypair[];
  limit: number;
}) {
  const newest = made
    .filter(({ names }) => names.some((wallet) => owners.includes(wallet)))
    .toReversed()
    .slice(0, limit);
  return inOrder(
    newest.flatMap(({ kind, signature, buys }) =>
      buys.flatMap(({ token, amount, isFor }) =>
        isFor(owners)
          ? { kind, signature, mint: token.mint.toBase58(), amount: formatUnits(amount, token.decimals) }
          : [],
      ),
    ),
  );
}

describe('the list of buys', () => {
  it.each([1, 2, 3])(
    'contains exactly the buys among a hundred mixed transactions (seed %i)',
    async (seed) => {
      const app = await createTestApp();
      const world = await createTradingWorld();
      await settle(app);
      const made = await makeMix({
        world,
        count: TRANSACTIONS_LIMIT,
        seed,
        between: () => app.advance(SLOT_MS),
      });
      await settle(app);

      const kinds = new Map(made.map(({ signature, kind }) => [signature, kind]));
      const list = async (person: Person, limit: number) => {
        const found = await readAnswer<WalletTransaction[]>(
          person.get(`/api/wallet/transactions?limit=${limit}&type=buy`),
        );
        return inOrder(
          found.map(({ signature, tokenMint, amount }) => ({
            kind: kinds.get(signature),
            signature,
            mint: tokenMint,
            amount,
          })),
        );
      };
      const signIn = async (handle: string, owners: readonly Keypair[]) => {
        const person = await app.signIn(handle);
        for (const owner of owners) await proveWallet(person, owner);
        return { person, owners };
      };
      const people = [
        await signIn('both', [world.wallet, world.second]),
        await signIn('one', [world.wallet]),
        await signIn('other', [world.second]),
      ];
      for (const { person, owners } of people) {
        for (const limit of [TRANSACTIONS_LIMIT, 37, 10, 1]) {
          expect(await list(person, limit), `${person.handle}, the newest ${limit}`).toEqual(
            expected({ made, owners, limit }),
          );
        }
      }

      // Checks the setup: all transactions landed, only the intended ones failed, and there are enough buys.
      const statuses = await readStatuses(made.map(({ signature }) => signature));
      const failed = made.filter((_, index) => statuses[index]?.err !== null);
      expect(new Set(failed.map(({ kind }) => kind))).toEqual(
        new Set(['a swap that fails', 'a swap without enough SOL']),
      );
      expect(statuses).not.toContain(null);
      expect(made.filter(({ names }) => names.length > 0)).toHaveLength(TRANSACTIONS_LIMIT);
      const found = expected({ made, owners: [world.wallet, world.second], limit: TRANSACTIONS_LIMIT });
      expect(found.length).toBeGreaterThan(20);
      expect(found.length).toBeLessThan(80);
    },
  );
});

import { MAX_WALLETS_READ } from '#schema/constants/market.ts';
import type { ListedTransaction, WalletBalance } from '#schema/contracts/wallets.ts';
import { findBuys, type Movements } from '#schema/rules/calls/buys.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import { formatUnits } from '#schema/rules/money/units.ts';
import type { Base } from '../../../app/base.ts';
import type { MovementsReading } from '../../../ports/chain.ts';
import { unnamedToken, type TokenIdentity } from '../../../ports/price-source.ts';
import type { WalletsService } from '../../money/wallets/wallets.service.ts';
import type { PricesService } from '../prices/prices.service.ts';

const MAX_CACHED_TRANSACTIONS = 2_000;

interface HoldingsOptions extends Pick<Base, 'chain'> {
  readonly wallets: WalletsService;
  readonly prices: PricesService;
}

export function createHoldingsService({ wallets, chain, prices }: HoldingsOptions) {
  // Cached because landed transactions never change, and the page polls every half minute.
  const landed = new Map<string, Movements>();

  const ownersOf = async (userId: string) => (await wallets.listProven(userId)).slice(0, MAX_WALLETS_READ);

  const readMovements = async (signatures: readonly string[]): Promise<MovementsReading> => {
    const known = signatures.flatMap((signature) => landed.get(signature) ?? []);
    const read = await chain.movements(signatures.filter((signature) => !landed.has(signature)));
    if (landed.size + read.movements.length > MAX_CACHED_TRANSACTIONS) landed.clear();
    for (const movements of read.movements) landed.set(movements.signature, movements);
    const bySignature = new Map([...known, ...read.movements].map((each) => [each.signature, each]));
    return { ...read, movements: signatures.flatMap((signature) => bySignature.get(signature) ?? []) };
  };

  return {
    /**
     * Buys among the newest `limit` transactions of all proven wallets, newest first. After them, the transactions that
     * can't be read. @throws chain.unavailable
     */
    async listBuys({ userId, limit }: { userId: string; limit: number }): Promise<ListedTransaction[]> {
      const owners = await ownersOf(userId);
      const lists = await Promise.all(owners.map((address) => chain.newestSignatures({ address, limit })));
      // A transaction between two of the wallets is in both lists.
      const listed = new Map(lists.flat().map((each) => [each.signature, each]));
      const newest = [...listed.values()].toSorted((a, b) => b.slot - a.slot).slice(0, limit);
      const signatures = newest.flatMap(({ signature, hasFailed }) => (hasFailed ? [] : signature));
      const { movements: read, unreadable } = await readMovements(signatures);
      const buys = read.flatMap((movements) =>
        findBuys(movements, owners).map((bought) => ({ ...bought, movements })),
      );
      const names = await prices.describeTokens({ mints: buys.map(({ mint }) => mint), userId });
      return [
        ...buys.map(({ mint, amount, decimals, movements }) => ({
          signature: movements.signature,
          ...describeToken(mint, names),
          amount: formatUnits(amount, decimals),
          timestamp: timeOf(movements.blockTime),
          transactionType: 'buy' as const,
        })),
        ...unreadable.map((signature) => ({
          signature,
          timestamp: timeOf(listed.get(signature)?.at ?? null),
          transactionType: 'unreadable' as const,
        })),
      ];
    },

    async listBalances(userId: string): Promise<WalletBalance[]> {
      const owners = await ownersOf(userId);
      if (owners.length === 0) return [];
      const [lamports, holdings] = await Promise.all([
        chain.balances(owners),
        Promise.all(owners.map((owner) => chain.tokenHoldings(owner))),
      ]);
      const names = await prices.describeTokens({
        mints: holdings.flat().map(({ mint }) => mint),
        userId,
      });
      return owners.map((walletAddress, index) => ({
        walletAddress,
        sol: formatSol(lamports[index] ?? 0n),
        lamports: String(lamports[index] ?? 0n),
        tokens: (holdings[index] ?? []).map(({ mint, amount, decimals }) => ({
          ...describeToken(mint, names),
          amount: formatUnits(amount, decimals),
          rawAmount: String(amount),
          decimals,
        })),
      }));
    },
  };
}

const timeOf = (at: number | null) => (at === null ? null : new Date(at).toISOString());

function describeToken(mint: string, names: ReadonlyMap<string, TokenIdentity>) {
  const { symbol, name, logoURI } = names.get(mint) ?? unnamedToken(mint);
  return { tokenMint: mint, tokenSymbol: symbol, tokenName: name, logoURI };
}

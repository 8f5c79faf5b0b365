import type { Chain } from './chain.ts';
import * as accounts from './rpc-accounts.ts';
import * as cluster from './rpc-cluster.ts';
import type { Params } from './rpc-params.ts';
import * as transactions from './rpc-transactions.ts';

/** Returns a method's result, with u64s as bigints, or throws an RpcError. */
export type RpcMethod = (chain: Chain, params: Params) => unknown;

export const RPC_METHODS: ReadonlyMap<string, RpcMethod> = new Map<string, RpcMethod>(
  Object.entries({
    getAccountInfo: accounts.getAccountInfo,
    getBalance: accounts.getBalance,
    getMinimumBalanceForRentExemption: accounts.getMinimumBalanceForRentExemption,
    getMultipleAccounts: accounts.getMultipleAccounts,
    getTokenAccountsByOwner: accounts.getTokenAccountsByOwner,
    getBlockHeight: cluster.getBlockHeight,
    getBlockTime: cluster.getBlockTime,
    getEpochInfo: cluster.getEpochInfo,
    getFeeForMessage: cluster.getFeeForMessage,
    getGenesisHash: cluster.getGenesisHash,
    getHealth: cluster.getHealth,
    getLatestBlockhash: cluster.getLatestBlockhash,
    getRecentPrioritizationFees: cluster.getRecentPrioritizationFees,
    getSlot: cluster.getSlot,
    getVersion: cluster.getVersion,
    isBlockhashValid: cluster.isBlockhashValid,
    getSignatureStatuses: transactions.getSignatureStatuses,
    getSignaturesForAddress: transactions.getSignaturesForAddress,
    getTransaction: transactions.getTransaction,
    requestAirdrop: transactions.requestAirdrop,
    sendTransaction: transactions.sendTransaction,
    simulateTransaction: transactions.simulateTransaction,
  }),
);

import type { Chain } from './chain.ts';
import { API_VERSION, withContext } from './rpc-context.ts';
import { RpcError } from './rpc-error.ts';
import { readBytes, readCommitment, readConfig, readList, readPubkey, requireParams } from './rpc-params.ts';
import type { Params } from './rpc-params.ts';
import { parseMessage } from './submission.ts';
import { SLOTS_PER_EPOCH } from './vm.ts';

const PRIORITIZATION_FEE_SLOTS = 150;
const MAX_PRIORITIZATION_FEE_ACCOUNTS = 128;

export const getHealth = (): unknown => 'ok';

export const getGenesisHash = (chain: Chain): unknown => chain.genesisHash;

export const getVersion = (): unknown => ({ 'feature-set': 3_640_012_085, 'solana-core': API_VERSION });

export function getSlot(chain: Chain, params: Params): unknown {
  return chain.clock.slot(readCommitment(chain, readConfig(params[0])));
}

export function getBlockHeight(chain: Chain, params: Params): unknown {
  return chain.blockHeight(readCommitment(chain, readConfig(params[0])));
}

export function getEpochInfo(chain: Chain, params: Params): unknown {
  const commitment = readCommitment(chain, readConfig(params[0]));
  const absoluteSlot = chain.clock.slot(commitment);
  return {
    absoluteSlot,
    blockHeight: chain.blockHeight(commitment),
    epoch: Math.floor(absoluteSlot / SLOTS_PER_EPOCH),
    slotIndex: absoluteSlot % SLOTS_PER_EPOCH,
    slotsInEpoch: SLOTS_PER_EPOCH,
    transactionCount: null,
  };
}

export function getLatestBlockhash(chain: Chain, params: Params): unknown {
  const commitment = readCommitment(chain, readConfig(params[0]));
  return withContext(chain, commitment, chain.latestBlockhash({ commitment }));
}

export function isBlockhashValid(chain: Chain, params: Params): unknown {
  requireParams(params, 1);
  const blockhash = readPubkey(params[0]);
  const commitment = readCommitment(chain, readConfig(params[1]));
  return withContext(chain, commitment, chain.isBlockhashValid(blockhash, commitment));
}

export function getFeeForMessage(chain: Chain, params: Params): unknown {
  requireParams(params, 1);
  const message = parseMessage(readBytes(params[0], 'base64'));
  const commitment = readCommitment(chain, readConfig(params[1]));
  const isValid = chain.isBlockhashValid(message.recentBlockhash, commitment);
  return withContext(chain, commitment, isValid ? (chain.feeFor(message) ?? null) : null);
}

/** Returns the load's price for all slots, as if the load had lasted for a minute. Without load, zeros. */
export function getRecentPrioritizationFees(chain: Chain, params: Params): unknown {
  const addresses = params[0] === undefined ? [] : readList(params[0]);
  if (addresses.length > MAX_PRIORITIZATION_FEE_ACCOUNTS) {
    throw new RpcError(-32602, `Too many inputs provided; max ${MAX_PRIORITIZATION_FEE_ACCOUNTS}`);
  }
  addresses.forEach(readPubkey);
  const newest = chain.clock.slot();
  const count = Math.min(PRIORITIZATION_FEE_SLOTS, newest + 1);
  return Array.from({ length: count }, (_, index) => ({
    prioritizationFee: chain.lowestPrice(),
    slot: newest - count + 1 + index,
  }));
}

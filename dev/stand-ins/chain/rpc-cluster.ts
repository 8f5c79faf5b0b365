import type { Chain } from './chain.ts';
import { API_VERSION, withContext } from './rpc-context.ts';
import { RpcError } from './rpc-error.ts';
import {
  readBytes,
  readCommitment,
  readConfig,
  readList,
  readPubkey,
  readUnsigned,
  requireParams,
} from './rpc-params.ts';
import type { Params } from './rpc-params.ts';
import { parseMessage } from './submission.ts';
import { SLOTS_PER_EPOCH } from './vm.ts';

const PRIORITIZATION_FEE_SLOTS = 150;
const SAMPLE_SECONDS = 60;
const MAX_SAMPLES = 720;
const MAX_BLOCK_RANGE = 500_000;
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
  const wire = parseMessage(readBytes(params[0], 'base64'));
  const commitment = readCommitment(chain, readConfig(params[1]));
  const isValid = chain.isBlockhashValid(wire.message.recentBlockhash, commitment);
  return withContext(chain, commitment, isValid ? (chain.feeFor(wire) ?? null) : null);
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

/**
 * One sample at each whole minute, the newest first, as if the cluster were older than the local chain. A real one takes
 * them once a minute, too, so the newest may be almost a minute old.
 */
export function getRecentPerformanceSamples(chain: Chain, params: Params): unknown {
  const count = params[0] === undefined ? MAX_SAMPLES : readUnsigned(params[0]);
  if (count > MAX_SAMPLES) throw new RpcError(-32602, `Invalid limit; max ${MAX_SAMPLES}`);
  const now = chain.clock.timeOf(chain.clock.slot());
  const newest = now - (now % (SAMPLE_SECONDS * 1_000));
  return Array.from({ length: count }, (_, index) => {
    const [from, to] = [index + 1, index].map((age) =>
      chain.clock.slotAt(newest - age * SAMPLE_SECONDS * 1_000),
    );
    const numSlots = (to ?? 0) - (from ?? 0);
    const transactions = { numTransactions: numSlots, numNonVoteTransactions: numSlots };
    return { slot: Math.max(0, to ?? 0), numSlots, samplePeriodSecs: SAMPLE_SECONDS, ...transactions };
  });
}

/** Each slot has a block. */
export function getBlocks(chain: Chain, params: Params): unknown {
  requireParams(params, 1);
  const from = readUnsigned(params[0]);
  const hasEnd = typeof params[1] === 'number';
  const commitment = readCommitment(chain, readConfig(params[hasEnd ? 2 : 1]));
  const newest = chain.clock.slot(commitment);
  const to = hasEnd ? readUnsigned(params[1]) : newest;
  if (to - from > MAX_BLOCK_RANGE) throw new RpcError(-32602, `Slot range too large; max ${MAX_BLOCK_RANGE}`);
  return Array.from({ length: Math.max(0, Math.min(to, newest) - from + 1) }, (_, index) => from + index);
}

export function getBlockTime(chain: Chain, params: Params): unknown {
  requireParams(params, 1);
  const slot = readUnsigned(params[0]);
  if (slot > chain.clock.slot()) throw new RpcError(-32004, `Block not available for slot ${slot}`);
  return chain.blockTimeOf(slot);
}

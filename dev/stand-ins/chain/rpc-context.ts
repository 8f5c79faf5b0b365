import type { Chain } from './chain.ts';
import type { Commitment } from './slot-clock.ts';

/** The version of Solana's validator that the local Solana imitates. */
export const API_VERSION = '3.0.0';

export function withContext(chain: Chain, commitment: Commitment, value: unknown): unknown {
  return { context: { apiVersion: API_VERSION, slot: chain.clock.slot(commitment) }, value };
}

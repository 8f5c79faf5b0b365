import { z } from 'zod';
import { DAY_MS } from '#schema/constants/time.ts';
import type { FinalizedPage, SignatureEntry } from '../../../ports/chain.ts';

/** A fork can remove the newest positions, so older ones are saved, too. */
const MAX_POSITIONS = 10;
/** If no endpoint has known a position for this long, the platform walk goes on from its newest listing. */
const LOST_MS = DAY_MS;

const positionSchema = z.object({ signature: z.string(), slot: z.int() });

export const walkStateSchema = z.object({
  address: z.string(),
  /** The newest transactions of the last listings, newest first. Everything older is read or stored as unread. */
  positions: z.array(positionSchema),
  /** A listing that takes several pages: its newest transaction, and the last signature it has listed. */
  listing: z.object({ top: positionSchema, before: z.string() }).nullable(),
  lostSince: z.number().nullable(),
});

export type WalkState = z.infer<typeof walkStateSchema>;

export interface WalkStep {
  readonly state: WalkState;
  /** The page's successful transactions above the lowest position, oldest first. */
  readonly entries: readonly SignatureEntry[];
  /** `restarts`: the endpoints have lost the page before this one, so its listing must start again. */
  readonly outcome: 'continues' | 'complete' | 'restarts';
}

export function takePage(state: WalkState, page: FinalizedPage, now: number): WalkStep {
  const { positions, listing, lostSince } = state;
  if (page.end === 'unknown') return { state: { ...state, listing: null }, entries: [], outcome: 'restarts' };
  const lowest = Math.min(...positions.map(({ slot }) => slot));
  const entries = page.entries.filter(({ hasFailed, slot }) => !hasFailed && slot >= lowest).toReversed();
  const [newest] = page.entries;
  const top = listing?.top ?? (newest && { signature: newest.signature, slot: newest.slot });
  const last = page.entries.at(-1);
  if (page.end === 'more' && top && last) {
    return { state: { ...state, listing: { top, before: last.signature } }, entries, outcome: 'continues' };
  }
  const since = page.end === 'passed' ? (lostSince ?? now) : null;
  const isLost = since !== null && now - since < LOST_MS;
  // A lagging endpoint may list a newest transaction that is older than the saved positions.
  const isNewer = top !== undefined && top.slot > (positions[0]?.slot ?? -1);
  return {
    state: {
      ...state,
      positions: isNewer && !isLost ? [top, ...positions].slice(0, MAX_POSITIONS) : positions,
      listing: null,
      lostSince: isLost ? since : null,
    },
    entries,
    outcome: 'complete',
  };
}

import { sql } from 'drizzle-orm';
import { isBeingErased } from './hidden-texts.repository.ts';

/**
 * SQL condition: operators may see the content of the call `k`, because it has ended or every signed-in user sees it.
 * Operators have no access to other open calls.
 */
export const isReadableCall = sql`(k.ended_at IS NOT NULL OR EXISTS (
  SELECT 1 FROM callers c
  WHERE c.caller_id = k.caller_id AND c.fee_lamports = 0 AND NOT c.is_suspended AND NOT c.is_hidden))`;

/** Like `isReadableCall`, for texts: the texts of a deleted account count as erased. */
export const hasReadableTexts = sql`${isReadableCall} AND NOT ${isBeingErased}`;

import { HOUR_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { createPaidCaller, makeCall, makeEndedCall, MINTS } from './callers.ts';
import { query } from '../database/database.ts';
import type { Person, TestApp } from '../test-app.ts';

export interface CallerWithCalls {
  readonly caller: Person;
  readonly ended: TokenCall;
  readonly active: TokenCall;
}

/** Creates a Paid caller with a call on JUP that ended at +100%, and an active call on WIF, opened an hour later. */
export async function createCallerWithCalls(app: TestApp, handle: string): Promise<CallerWithCalls> {
  const { caller } = await createPaidCaller(app, { handle });
  const ended = await makeEndedCall({ caller, mint: MINTS.JUP });
  await app.advance(HOUR_MS);
  return { caller, ended, active: await makeCall({ caller, mint: MINTS.WIF, price: 2 }) };
}

export interface EndedCalls {
  readonly callerId: string;
  /** `endedAt` is unix ms. */
  readonly calls: readonly { readonly id: string; readonly endedAt: number }[];
}

/** Inserts calls on JUP that ended at +100%. */
export async function insertEndedCalls({ callerId, calls }: EndedCalls): Promise<void> {
  await query(
    `INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, end_price, ended_at,
       change_percent)
     SELECT value ->> '$.id', ?, ?, 'JUP', 'Jupiter', '1', 1, '2', value ->> '$.endedAt', 100 FROM json_each(?)`,
    callerId,
    MINTS.JUP,
    JSON.stringify(calls),
  );
}

import { calls } from '#schema/tables/calls.ts';
import { columnsOf } from './rows.ts';

/** Every column of a call. The query must name the table `calls` as `k`. */
export const callColumns = columnsOf(calls, 'k', [
  'id',
  'caller_id',
  'token_mint',
  'token_symbol',
  'token_name',
  'logo_uri',
  'entry_price',
  'entry_market_cap_usd',
  'called_at',
  'end_price',
  'ended_at',
  'change_percent',
  'thesis',
  'target_price',
  'stop_price',
  'is_paid_promotion',
  'unranked_reason',
  'peak_price',
  'peak_at',
  'uncounted_gain_reason',
  'automatic_end',
]);

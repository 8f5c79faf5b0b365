import { sql } from 'drizzle-orm';
import { readPrice } from '#schema/rules/prices.ts';
import { callUpdates } from '#schema/tables/call-updates.ts';
import { calls, priceQuotes } from '#schema/tables/calls.ts';
import { priceMarks } from '#schema/tables/price-marks.ts';
import { priceCloses } from '#schema/tables/prices.ts';
import { addActiveMints, addCalledTokens, addHoldings } from '#worker/modules/market/calls/call-effects.ts';
import { addOpenedEvents, addUpdateEvents } from '#worker/shared/call-events.ts';
import { tokenIconUrl } from '../market/tokens.ts';
import { uuidFrom } from './cast.ts';
import type { Insert, RunSql } from './inserter.ts';
import type { PlannedCall } from './plan-calls.ts';
import { createCloses } from './plan-closes.ts';
import { marksOf } from './plan-marks.ts';

interface InsertCallsOptions {
  insert: Insert;
  run: RunSql;
  plannedCalls: readonly PlannedCall[];
  standInsUrl: string;
  slotAt: (unixMs: number) => number;
  now: number;
}

/**
 * Inserts calls, then their quotes, updates, closing prices and marks, and what follows from them. Triggers forbid most
 * later changes, so each row is final. The product's repair job computes the callers' figures.
 */
export async function insertCalls({
  insert,
  run,
  plannedCalls,
  standInsUrl,
  slotAt,
  now,
}: InsertCallsOptions): Promise<void> {
  const closes = createCloses({ now });
  await insert(
    calls,
    plannedCalls.map((call) => {
      const {
        id,
        callerId,
        token,
        calledAt,
        entryPrice,
        thesis,
        targetPrice,
        stopPrice,
        isPaidPromotion,
        unrankedReason,
        uncountedGainReason,
        end,
      } = call;
      const peak = closes.peakOf(call);
      return {
        id,
        callerId,
        tokenMint: token.mint,
        tokenSymbol: token.symbol,
        tokenName: token.name,
        logoUri: tokenIconUrl({ origin: standInsUrl, token }),
        entryPrice,
        entryMarketCapUsd: Math.round(token.supply * Number(entryPrice)) || null,
        calledAt,
        thesis,
        targetPrice,
        stopPrice,
        isPaidPromotion,
        unrankedReason,
        uncountedGainReason,
        peakPrice: peak?.price ?? null,
        peakAt: peak?.at ?? null,
        endPrice: end?.price ?? null,
        endedAt: end?.at ?? null,
        changePercent: end?.changePercent ?? null,
      };
    }),
  );
  await insert(
    priceQuotes,
    plannedCalls.flatMap((call) => [
      ...quotesOf(call, { side: 'open', price: call.entryPrice, at: call.calledAt, slotAt }),
      ...(call.end ? quotesOf(call, { side: 'end', ...call.end, slotAt }) : []),
    ]),
  );
  await insert(
    callUpdates,
    plannedCalls.flatMap(({ id, updates }) =>
      updates.map(({ message, at }, number) => ({
        id: uuidFrom(`update ${id} ${number}`),
        callId: id,
        message,
        createdAt: at,
      })),
    ),
  );
  await insert(priceCloses, closes.ofCalls(plannedCalls));
  await insert(
    priceMarks,
    plannedCalls.flatMap((call) => marksOf(call, now)),
  );
  const all = sql`TRUE`;
  for (const write of [addOpenedEvents, addUpdateEvents, addActiveMints, addCalledTokens, addHoldings]) {
    await run(write(all));
  }
}

interface QuoteMoment {
  readonly side: 'open' | 'end';
  readonly price: string;
  readonly at: number;
  readonly slotAt: (unixMs: number) => number;
}

function quotesOf({ id, liquidityUsd, sources }: PlannedCall, { side, price, at, slotAt }: QuoteMoment) {
  const shared = { callId: id, side, quotedAt: at };
  const isDown = sources[side] === 1;
  return [
    {
      ...shared,
      source: 'jupiter',
      price,
      failure: null,
      isRecorded: true,
      blockId: slotAt(at),
      liquidityUsd,
    },
    {
      ...shared,
      source: 'dexscreener',
      price: isDown ? null : readPrice(Number(price) * 1.001),
      failure: isDown ? ('unavailable' as const) : null,
      isRecorded: false,
      blockId: null,
      liquidityUsd: isDown ? null : liquidityUsd,
    },
  ];
}

import { DIRECTORY_FEE_STEP_SOL, FEE_LEVEL_BOUNDS_SOL, LAMPORTS_PER_SOL } from '#schema/constants/money.ts';

const STEPS_PER_SOL = BigInt(Math.round(1 / DIRECTORY_FEE_STEP_SOL));
const STEP_LAMPORTS = LAMPORTS_PER_SOL / STEPS_PER_SOL;
const BOUNDS = FEE_LEVEL_BOUNDS_SOL.map((bound) => BigInt(bound) * LAMPORTS_PER_SOL);
const LAST_STEP = BigInt(FEE_LEVEL_BOUNDS_SOL[0]) * STEPS_PER_SOL;

export const LAST_FEE_LEVEL = Number(LAST_STEP) + FEE_LEVEL_BOUNDS_SOL.length;

/** 0 for Free, 1 for at most one step of DIRECTORY_FEE_STEP_SOL, and so on up to FEE_LEVEL_BOUNDS_SOL. */
export function feeLevelOf(feeLamports: bigint): number {
  const step = (feeLamports + STEP_LAMPORTS - 1n) / STEP_LAMPORTS;
  const boundsBelow = BOUNDS.filter((bound) => feeLamports > bound).length;
  return Number(step < LAST_STEP ? step : LAST_STEP) + boundsBelow;
}

export function isTopOfFeeLevel(feeLamports: bigint): boolean {
  return feeLevelOf(feeLamports + 1n) > feeLevelOf(feeLamports);
}

export const FEE_LEVEL_SQL = [
  `min((fee_lamports + ${STEP_LAMPORTS - 1n}) / ${STEP_LAMPORTS}, ${LAST_STEP})`,
  ...BOUNDS.map((bound) => `(fee_lamports > ${bound})`),
].join(' + ');

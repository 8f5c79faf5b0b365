export const PROVEN_HINT =
  'The minimum win rate at 95% confidence, so callers with few calls rank lower. ' +
  'A win is a ranked call that ended at least 1% above its entry price. ' +
  "Open calls don't count as wins.";

export const PROVEN_HINT =
  'What a follower made per call, as far as it is certain: the lower limit at 95% confidence, over the newest ' +
  '200 ranked calls. A loss counts at once, a gain only after every call that was opened earlier has ended.';

export const PROVEN_HINT =
  'How much more SOL per call a follower made than by holding it, as far as it is certain (95% confidence), over the ' +
  'newest 500 ranked calls of a year. A loss counts at once, a gain only after every call that was opened earlier has ended.';

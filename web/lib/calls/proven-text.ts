export const PROVEN_HINT =
  'How much more SOL a follower made per call than by holding SOL: the average is at least this, with 95% confidence. It ' +
  'uses the newest 500 ranked calls of a year. A loss counts at once, a gain after all earlier calls have ended.';

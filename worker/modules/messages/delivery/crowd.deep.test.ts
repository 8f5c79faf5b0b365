import { it } from 'vitest';
import { runCrowd } from '#test/people/crowd-run.ts';

it('an update reaches 10,000 recipients at the full rate, and a recipient gets it twice only if a crash interrupted the sending', async () => {
  await runCrowd({ recipients: 10_000, deathsAfter: [700, 2_500, 5_000] });
});

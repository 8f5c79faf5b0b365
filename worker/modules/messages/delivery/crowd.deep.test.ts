import { it } from 'vitest';
import { runCrowd } from '#test/people/crowd-run.ts';

it('an update reaches 10,000 recipients at the full rate, and reaches a recipient twice only if the sender crashed meanwhile', async () => {
  await runCrowd({ recipients: 10_000, deathsAfter: [700, 2_500, 5_000] });
});

import { it } from 'vitest';
import { runCrowd } from '#test/people/crowd-run.ts';

it('the sender sends an update to 10,000 recipients at the full rate, and repeats only sends that a crash left unrecorded', async () => {
  await runCrowd({ recipients: 10_000, deathsAfter: [700, 2_500, 5_000] });
});

import { it } from 'vitest';
import { runCrowd } from '#test/people/crowd-run.ts';

it('an update reaches 10,000 recipients at MESSAGES_PER_SECOND, and reaches one of them twice only if the sender crashed before it recorded the message', async () => {
  await runCrowd({ recipients: 10_000, deathsAfter: [700, 2_500, 5_000] });
});

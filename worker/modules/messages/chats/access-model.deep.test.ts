import { it } from 'vitest';
import { playHistory } from '../../../test-support/messages/access-model.ts';
import { createTestApp } from '../../../test-support/test-app.ts';

const HISTORIES = 3_000;

it.each(Array.from({ length: HISTORIES }, (_, index) => index + 1))(
  'after two runs of the cron, nobody without access is in a chat and nobody with access waits (history %i)',
  async (seed) => playHistory({ app: await createTestApp(), seed }),
);

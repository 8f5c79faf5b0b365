import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { callersQuery } from '#web/api/callers.queries.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { adaListed } from '#web/testing/samples.ts';
import { inDefaultOrder, profileOf, serve } from '#verify/test-support/site.ts';
import { startOf } from '#verify/test-support/tamper.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { RecomputeRanking } from './recompute-ranking.tsx';

const start = Array.from({ length: 20 }, (_, seed) => startOf(seed, 40)).find(
  ({ log: { callers } }) => callers.size > 2,
);
if (!start) throw new Error('Each log has too few callers.');
const { log, plan } = start;
const ranked = inDefaultOrder([...log.callers].map(([id, caller]) => profileOf(id, caller))).map(
  (profile) => ({
    ...adaListed,
    ...profile,
  }),
);

function Directory() {
  useInfiniteQuery(callersQuery({}));
  return <RecomputeRanking />;
}

async function recompute(rows: typeof ranked) {
  vi.useFakeTimers({ toFake: ['Date'], now: plan.now });
  const site = serve(log);
  vi.stubGlobal('fetch', async (path: string) => {
    if (path === '/api/callers') return Response.json(rows);
    if (path.startsWith('/log/tile/')) return new Response(await site.source.fetchBytes(path));
    return new Response(await site.source.fetchText(path));
  });
  const { queryClient } = renderScreen(<Directory />);
  await vi.waitFor(() => expect(queryClient.getQueryData(callersQuery({}).queryKey)).toBeTruthy());
  fireEvent.click(screen.getByRole('button', { name: 'Recompute this ranking' }));
  return within(await screen.findByRole('dialog', { name: 'Recompute this ranking' }));
}

it('“Recompute this ranking” compares figures and order with the log, and shows a verdict for each caller', async () => {
  const dialog = await recompute(ranked);
  const headline = await dialog.findByText(/^Verified: the /);
  expect(headline.textContent).toBe(
    `Verified: the figures and order of ${ranked.length} callers are those of the log`,
  );
  expect(dialog.getAllByText(/^Verified: \d+ /)).toHaveLength(ranked.length);
});

it('“Recompute this ranking” lists callers whose rank or figures aren’t the log’s', async () => {
  const [first, second, ...others] = ranked;
  if (!first || !second) throw new Error('There are too few callers.');
  const dialog = await recompute([second, { ...first, winRate: 99.5 }, ...others]);
  expect(await dialog.findByText(/^Not verified: this ranking/)).toBeTruthy();
  const problems = dialog.getByRole('list', { name: 'Problems' }).textContent;
  expect(problems).toContain(
    `@${second.twitterHandle} is before @${first.twitterHandle}, but not by the log.`,
  );
  expect(problems).toContain(`@${first.twitterHandle}: Win Rate is`);
});

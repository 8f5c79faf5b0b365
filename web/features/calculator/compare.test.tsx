import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#schema/constants/time.ts';
import type { Comparison } from '#schema/contracts/callers.ts';
import { compareResults } from '#schema/rules/calls/compare-results.ts';
import { refuse } from '#web/testing/fake-api.ts';
import { cellsOf, click, textsOf } from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';
import { adaProfile, callerResults, copiedCall, signedInUser } from '#web/testing/samples.ts';

const bob = { ...adaProfile, id: 'caller-2', twitterHandle: 'bob', firstName: 'Bob', lastName: 'Iverson' };
const free = { monthlyFee: null, canBeSubscribed: true };

const day = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const CALLERS = [
  { caller: { ...adaProfile, ...free }, ...callerResults([copiedCall(40, '2'), copiedCall(10, '0.5')]) },
  {
    caller: { ...bob, monthlyFee: '0.5' },
    ...callerResults([copiedCall(20, '1.5')], '0.5', { openCalls: { count: 2, since: '2026-11-04' } }),
  },
];

/** Compares the callers that the request names, as the server does. */
function compare(_body: unknown, query: URLSearchParams): Comparison {
  const names = query.get('callers')?.split(',') ?? [];
  const found = CALLERS.filter(({ caller }) =>
    names.some((name) => [caller.id, caller.twitterHandle].includes(name)),
  );
  const stakeUsd = Number(query.get('amount') ?? 100);
  const since = query.get('since') ?? undefined;
  return compareResults(found, { stakeUsd, since, until: Date.now() });
}

const open = (address: string, more: Record<string, unknown> = {}) =>
  openApp(address, {
    'GET /api/comparison': compare,
    'GET /api/auth/user': signedInUser,
    ...more,
  });

const rowOf = async (label: string) => {
  const cell = (await screen.findAllByRole('rowheader', { name: label })).at(-1);
  return cellsOf(cell?.closest('tr') ?? undefined);
};

describe('comparing callers', () => {
  it('the comparison shows each caller’s result with the same amount since the same day', async () => {
    open('/compare?callers=ada+bob');
    await screen.findByRole('columnheader', { name: /Ada Byron/ });
    // 0.997² × 0.5 = 0.497004 and 0.997² × 1.5 = 1.4910135: -50.30 and +49.10, minus 0.5 SOL at 90 USD.
    expect(await rowOf('With $100 per call')).toEqual(['-$50', '+$4ahead']);
    expect(await rowOf('Money needed')).toEqual(['$100', '$145']);
    expect(await rowOf('Subscription fees')).toEqual(['$0', '$45']);
    expect(await rowOf('Fee per month')).toEqual(['Free', '0.5 SOL']);
    expect(await rowOf('Pays for itself, per call')).toEqual(['from $64', 'from $64']);
    expect(await rowOf('Oldest open call')).toEqual(['–', 'Nov 4, 2026']);
  });

  it('the comparison reads amount and day from the URL and writes a new amount to it', async () => {
    const { router } = open(`/compare?callers=ada+bob&amount=1000&since=${day(40)}`);
    await screen.findByText('+$401');
    expect(await rowOf('With $1,000 per call')).toEqual(['+$485ahead', '+$401']);
    fireEvent.change(screen.getByLabelText('Amount per call'), { target: { value: '200' } });
    await screen.findAllByText('+$97', {}, { timeout: 3_000 });
    expect(await rowOf('With $200 per call')).toEqual(['+$97ahead', '+$8']);
    await waitFor(() =>
      expect(router.state.location.searchStr).toBe(`?callers=ada+bob&amount=200&since=${day(40)}`),
    );
    fireEvent.change(screen.getByLabelText('Amount per call'), { target: { value: 'x' } });
    await screen.findByText('Enter a whole amount from $1 to $100,000.');
    expect(router.state.location.searchStr).toContain('amount=200');
  });

  it('a caller can be added to the comparison by handle, and removed', async () => {
    const { router } = open('/compare', {
      'GET /api/callers': [{ ...bob, recentCalls: [] }],
    });
    await screen.findByText('Nobody to compare yet');
    fireEvent.change(screen.getByLabelText('Add a caller'), { target: { value: '@bo' } });
    await screen.findByText('Bob Iverson', {}, { timeout: 3_000 });
    fireEvent.change(screen.getByLabelText('Add a caller'), { target: { value: '@bob' } });
    click('Add');
    await screen.findByRole('columnheader', { name: /Bob Iverson/ });
    expect(router.state.location.searchStr).toBe('?callers=bob');
    click('Remove bob');
    await screen.findByText('Nobody to compare yet');
  });

  it('the comparison says that a caller is unknown and still shows the other callers', async () => {
    open('/compare?callers=nobody+ada');
    await screen.findByText('Caller Not Found');
    expect(await rowOf('Money needed')).toEqual(['', '$100']);
  });

  it('the comparison is recalculated when the URL changes', async () => {
    const { router } = open('/compare?callers=ada+bob&amount=1000&since=2020-01-01');
    await screen.findByText('+$401');
    expect(screen.queryByText(/^Choose a day/)).toBeNull();
    await router.navigate({ to: '/compare', search: { callers: 'ada bob' } });
    expect(await rowOf('With $100 per call')).toEqual(['-$50', '+$4ahead']);
  });

  it('a caller can be added to the comparison by name, and unknown words are refused', async () => {
    const { router } = open('/compare', { 'GET /api/callers': [{ ...bob, recentCalls: [] }] });
    const box = await screen.findByLabelText('Add a caller');
    fireEvent.change(box, { target: { value: 'bob iverson' } });
    await screen.findByText('Bob Iverson', {}, { timeout: 3_000 });
    click('Add');
    await waitFor(() => expect(router.state.location.searchStr).toBe('?callers=bob'));
    fireEvent.change(box, { target: { value: 'two words' } });
    click('Add');
    await screen.findByText('Enter one handle, such as @amara_calls.');
    expect(router.state.location.searchStr).toBe('?callers=bob');
  });

  it('the comparison shows a caller once if the URL has both handle and id', async () => {
    open('/compare?callers=caller-2+bob');
    await waitFor(() => expect(screen.getAllByRole('columnheader', { name: /Bob Iverson/ })).toHaveLength(1));
  });

  it('the comparison says so if it fails to load, and tries again', async () => {
    open('/compare?callers=ada', { 'GET /api/comparison': () => refuse(400, 'request.invalid', 'No.') });
    await screen.findByText('Failed to load the comparison.');
  });

  it('the comparison shows at most five callers', async () => {
    open('/compare?callers=ada+bob+ada+ada,c+d+e+f');
    await screen.findByText('Five callers at most. Remove one to add another.');
    const headers = within(await screen.findByRole('table', { name: 'Comparison' })).getAllByRole(
      'columnheader',
    );
    expect(textsOf(headers).slice(1)).toHaveLength(5);
  });
});

import { screen, within } from '@testing-library/react';
import { useQuery } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { activeCallsQuery, callerHistoryQuery } from '#web/api/calls.queries.ts';
import { stubApi } from '#web/testing/fake-api.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { BuyLink } from '#web/ui/controls/buy-link.tsx';
import { ActiveCallsCard } from './active-calls-card.tsx';
import { EndedCallsCard } from '../ended-calls-card.tsx';
import { CallRows } from './call-rows.tsx';
import { activeCall, endedCall } from '#web/testing/dashboard-samples.ts';

// Specification 9.32
it.each([
  ['0.00999', '0.00999000'],
  ['0.01', '0.010000'],
  ['12.345678', '12.345678'],
])('a caller’s own lists show the price %s as %s', async (price, text) => {
  const history = `GET /api/token-calls/caller/${endedCall.callerId}/history`;
  const active = `GET /api/token-calls/caller/${activeCall.callerId}/active`;
  stubApi({
    [history]: [{ ...endedCall, endPrice: price }],
    [active]: [{ ...activeCall, entryPrice: price }],
    'GET /api/prices': {},
  });
  renderScreen(<OwnLists callerId={activeCall.callerId} />);
  expect((await screen.findByText('End', { selector: 'dt' })).nextElementSibling?.textContent).toBe(text);
  const entries = await screen.findAllByText('Entry');
  expect(entries.map((entry) => entry.nextElementSibling?.textContent)).toContain(text);
});

it('a call’s row shows the market caps at the entry and at the end, if known', () => {
  stubApi({});
  const capped = { ...endedCall, entryMarketCapUsd: 2_000_000_000 };
  renderScreen(
    <CallRows label="Calls" calls={[capped, { ...endedCall, id: 'old' }]} renderAction={BuyLink} />,
  );
  const [cap] = screen.getAllByText('MC');
  expect(screen.getAllByText('MC')).toHaveLength(1);
  expect(cap?.closest('dt')?.nextElementSibling?.textContent).toBe('$2.0B → $3.0B');
});

function OwnLists({ callerId }: { callerId: string }) {
  const query = useQuery(callerHistoryQuery(callerId));
  return (
    <>
      <ActiveCallsCard query={useQuery(activeCallsQuery(callerId))} />
      <EndedCallsCard title="Call History" what="" query={query} isOwn renderAction={() => null} />
    </>
  );
}

// Specification 9.30, 9.31
it.each([
  ['0.00999', '0.00999000'],
  ['0.01', '0.0100'],
  ['12.345678', '12.3457'],
])('a call’s row on the dashboard shows the price %s as %s', (price, text) => {
  renderScreen(
    <CallRows
      label="Active Calls"
      renderAction={BuyLink}
      calls={[{ ...activeCall, entryPrice: price, lastPrice: { price, at: '', source: 'jupiter' } }]}
    />,
  );
  const row = within(screen.getByRole('listitem'));
  expect(row.getByText('Entry').nextElementSibling?.textContent).toBe(text);
  expect(row.getByText('Now').nextElementSibling?.textContent).toBe(text);
});

it('only an ended call shows how long it was held', () => {
  const times = { callTimestamp: '2026-11-18T10:00:00.000Z', endTimestamp: '2026-11-20T14:30:00.000Z' };
  renderScreen(
    <CallRows label="Calls" calls={[activeCall, { ...endedCall, ...times }]} renderAction={BuyLink} />,
  );
  const held = screen.getAllByRole('listitem').map((row) => /held .*?h/.exec(row.textContent)?.[0]);
  expect(held).toEqual([undefined, 'held 2d 4h']);
});

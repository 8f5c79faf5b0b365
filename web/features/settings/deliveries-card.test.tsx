import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { DeliveryLogEntry } from '#schema/contracts/notifications.ts';
import { inPages, refuse } from '#web/testing/fake-api.ts';
import { findItems, hrefOf } from '#web/testing/find-in-page.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { DeliveriesCard } from './deliveries-card.tsx';

const ROUTE = 'GET /api/telegram/deliveries';
const now = Date.parse('2026-11-21T12:00:00.000Z');
type Change = Partial<DeliveryLogEntry> & { age?: number };
const entry = ({ age = 2 * HOUR_MS, ...change }: Change = {}): DeliveryLogEntry => ({
  id: 'call_opened:call-1',
  kind: 'call_opened',
  callId: 'call-1',
  tokenSymbol: 'BONK',
  at: new Date(now - age).toISOString(),
  recipients: 120,
  delivered: 120,
  unreachable: 0,
  failed: 0,
  chats: [],
  ...change,
});
const show = (response: unknown) => renderScreen(<DeliveriesCard />, { api: { [ROUTE]: response } }).calls;
const rows = () => findItems('Telegram Delivery');
const legend = () => screen.queryByText(/^Unreachable: the person blocked the bot/);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now }));

it.each<[string, Parameters<typeof entry>[0], string]>([
  ['delivered to everyone', {}, 'New call: BONK2h agoDelivered to 120 of 120'],
  [
    'about an ended call',
    { kind: 'call_ended', age: 3 * 24 * HOUR_MS },
    'Call ended: BONK3d agoDelivered to 120 of 120',
  ],
  ['with an update', { kind: 'call_update' }, 'Update: BONK2h agoDelivered to 120 of 120'],
  [
    'with unreachable and failed recipients',
    { delivered: 113, unreachable: 4, failed: 3 },
    'New call: BONK2h agoDelivered to 113 of 120 · 4 unreachable · 3 failed',
  ],
  [
    'to more than a thousand recipients',
    { recipients: 12_345, delivered: 12_344, unreachable: 1 },
    'New call: BONK2h agoDelivered to 12,344 of 12,345 · 1 unreachable',
  ],
  [
    'that was only posted in a group',
    { recipients: 0, delivered: 0, chats: [{ kind: 'group', members: 214 }] },
    'New call: BONK2h agoPosted in 1 group of 214',
  ],
  [
    'that was posted in a channel and sent in private',
    { chats: [{ kind: 'channel', members: null }] },
    'New call: BONK2h agoPosted in 1 channel · Delivered to 120 of 120',
  ],
  [
    'that is still being sent',
    { age: 5 * MINUTE_MS, delivered: 100, unreachable: 1 },
    'New call: BONK5m agoDelivered to 100 of 120 · 1 unreachableSending',
  ],
  [
    'without missing deliveries within the hour',
    { age: 5 * MINUTE_MS, delivered: 113, unreachable: 4, failed: 3 },
    'New call: BONK5m agoDelivered to 113 of 120 · 4 unreachable · 3 failed',
  ],
  [
    'with missing deliveries at the end of the hour',
    { age: HOUR_MS - 1, delivered: 113 },
    'New call: BONK59m agoDelivered to 113 of 120Sending',
  ],
  [
    'with missing deliveries after the hour',
    { age: HOUR_MS, delivered: 113 },
    'New call: BONK1h agoDelivered to 113 of 120',
  ],
  [
    'without recipients within the hour',
    { age: MINUTE_MS, recipients: 0, delivered: 0 },
    'New call: BONK1m agoNobody has Telegram connected yet',
  ],
  [
    'without recipients',
    { recipients: 0, delivered: 0 },
    'New call: BONK2h agoNobody had Telegram connected',
  ],
])('DeliveriesCard describes a message %s', async (_what, change, text) => {
  show([entry(change)]);
  const [row] = await rows();
  expect(row?.textContent).toBe(text);
  expect(hrefOf(/BONK/, row)).toBe('/call/call-1');
  expect(legend() !== null).toBe(/unreachable|failed/.test(text));
});

it('DeliveriesCard shows an empty state before the first message', async () => {
  show([]);
  expect(await screen.findByText('Nothing sent yet')).toBeDefined();
});

it('DeliveriesCard loads the next page with Show more', async () => {
  const calls = show(inPages([entry()], [entry({ id: 'call_ended:call-2', kind: 'call_ended' })]));
  fireEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  await waitFor(async () =>
    expect((await rows()).map((row) => row.textContent.slice(0, 8))).toEqual(['New call', 'Call end']),
  );
  expect(calls.map(({ search }) => search)).toEqual([undefined, '?cursor=page%2F2']);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

it('DeliveriesCard shows the reason below its list when the next page fails', async () => {
  show(inPages([entry()], refuse(500, 'server.failed', 'Our fault.')));
  fireEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Our fault.');
  expect(await rows()).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Show more' })).toBeDefined();
});

import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { HOUR_MS } from '#schema/constants/time.ts';
import type { Way } from '#schema/contracts/ways.ts';
import { refuse } from '#web/testing/fake-api.ts';
import { textsOf } from '#web/testing/find-in-page.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { WaysCard } from './ways-card.tsx';

const ROUTE = 'GET /api/user/ways';
const END_OTHERS = 'POST /api/user/ways/end-others';
const NOTE = /A new device signed in\. If it wasn't you, change your password on X/;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
const here: Way = {
  id: 'a1',
  kind: 'session',
  name: 'Chrome on Windows',
  mayCall: false,
  madeAt: ago(50),
  madeBy: null,
  lastUsedAt: ago(0),
  isCurrent: true,
  isNew: false,
  staysByDefault: false,
};
const phone: Way = {
  ...here,
  id: 'b2',
  name: 'Safari on iPhone',
  lastUsedAt: ago(3),
  isCurrent: false,
};
const key: Way = {
  ...phone,
  id: 'c3',
  kind: 'key',
  madeBy: 'b2',
  name: 'Bot',
  mayCall: true,
  lastUsedAt: null,
};
const webhook: Way = { ...phone, id: 'webhook', kind: 'webhook', name: 'https://a.example', madeBy: 'gone' };
const group: Way = {
  ...phone,
  id: '-100',
  kind: 'chat',
  name: 'Alpha',
  madeBy: 'gone',
  staysByDefault: true,
};

/** Renders the card on a server that ends ways. */
function show(ways: readonly Way[], routes: Record<string, unknown> = {}) {
  let left = ways;
  const api = {
    [ROUTE]: () => left,
    'DELETE /api/user/ways/b2': () => {
      left = left.filter(({ id }) => id !== 'b2');
      return { message: 'Ended 1 session.' };
    },
    [END_OTHERS]: () => {
      left = left.filter(({ isCurrent }) => isCurrent);
      return { message: 'Ended 1 session, 1 key.' };
    },
    ...routes,
  };
  return renderScreen(<WaysCard />, { api });
}
const rows = async () => within(await screen.findByRole('list')).getAllByRole('listitem');
const endPhone = async () =>
  fireEvent.click(await screen.findByRole('button', { name: /^End Safari on iPhone, made/ }));

it('the list of ways shows when each was made, by which session, its last use and its end', async () => {
  show([here, phone, key, webhook]);
  expect(textsOf(await rows())).toEqual([
    expect.stringMatching(/^Chrome on WindowsThis browserSigned in \w{3} \d/),
    expect.stringMatching(/^Safari on iPhoneSigned in .*Last used 3h agoEnd$/),
    expect.stringMatching(/^API key BotMay callMade .* by Safari on iPhoneNever usedEnds \w{3} .*End$/),
    expect.stringMatching(/^Webhook https:\/\/a\.exampleMade .* by a session that has endedLast used .*End$/),
  ]);
  expect(screen.queryByText(NOTE)).toBeNull();
});

it('the list of ways has no button if this browser is the only one', async () => {
  show([here]);
  await rows();
  expect(screen.queryByRole('button')).toBeNull();
});

it('the list of ways marks a new device and says what to do, but never for this browser', async () => {
  show([here, { ...phone, isNew: true }]);
  expect((await screen.findByText(NOTE)).getAttribute('role')).toBe('status');
  expect(screen.getByText('New')).toBeTruthy();
  cleanup();
  show([{ ...here, isNew: true }, phone]);
  await rows();
  expect(screen.queryByText(NOTE)).toBeNull();
  expect(screen.queryByText('New')).toBeNull();
});

it('the list of ways shows eight at first, and all of them after Show all', async () => {
  show([here, ...Array.from({ length: 8 }, (_, index) => ({ ...phone, id: `p${index}` }))]);
  expect(await rows()).toHaveLength(8);
  fireEvent.click(screen.getByRole('button', { name: 'Show all 9' }));
  expect(await rows()).toHaveLength(9);
});

it('ending a session that has made nothing removes it from the list of ways', async () => {
  const { routes } = show([here, phone]);
  await endPhone();
  await expectToast('Done', 'Ended 1 session.');
  await waitFor(async () => expect(await rows()).toHaveLength(1));
  expect(routes()).toContain('DELETE /api/user/ways/b2');
});

it.each([
  [true, 'true'],
  [false, 'false'],
])('ending a session offers to end what it has made (%s)', async (isWithMade, sent) => {
  const { calls } = show([here, phone, key]);
  await endPhone();
  const dialog = within(await screen.findByRole('dialog', { name: 'End Safari on iPhone?' }));
  const tick = dialog.getByRole('checkbox', { name: 'Also end what it made: API key Bot' });
  if (!isWithMade) fireEvent.click(tick);
  fireEvent.click(dialog.getByRole('button', { name: 'End' }));
  await expectToast('Done', 'Ended 1 session.');
  const [deletion] = calls.filter(({ route }) => route.startsWith('DELETE'));
  expect(new URLSearchParams(deletion?.search).get('withMade')).toBe(sent);
});

it('the list of ways ends all others but the ticked ones after a confirmation', async () => {
  const { routes, bodies } = show([here, phone, key, webhook, group]);
  fireEvent.click(await screen.findByRole('button', { name: 'End all others' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'End all others?' }));
  expect(routes()).not.toContain(END_OTHERS);
  expect(dialog.getAllByRole('checkbox', { checked: false })).toHaveLength(3);
  expect(
    dialog.getByRole('checkbox', { checked: true, name: /Telegram group or channel Alpha/ }),
  ).toBeTruthy();
  expect(dialog.getByRole('checkbox', { name: /API key Bot .* by Safari on iPhone$/ })).toBeTruthy();
  fireEvent.click(dialog.getByRole('checkbox', { name: /^Webhook/ }));
  fireEvent.click(dialog.getByRole('button', { name: 'End all others' }));
  await expectToast('Done', 'Ended 1 session, 1 key.');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies(END_OTHERS)).toEqual([{ keep: ['-100', 'webhook'] }]);
});

it('the list of ways shows why ending a session failed and reloads', async () => {
  const reason = 'This was already ended. Reload the page to see the others.';
  let isGone = false;
  show([], {
    [ROUTE]: () => (isGone ? [here] : [here, phone]),
    'DELETE /api/user/ways/b2': () => {
      isGone = true;
      return refuse(404, 'ways.not_found', reason);
    },
  });
  await endPhone();
  await expectToast('Error', reason);
  await waitFor(async () => expect(await rows()).toHaveLength(1));
});

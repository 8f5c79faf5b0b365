import { useQuery } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { TELEGRAM_START_LINK_MS } from '#schema/constants/messages.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { POLL_MS } from '#schema/constants/web.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { failures, type FakeRoutes, refuse } from '#web/testing/fake-api.ts';
import { findHref, hrefOf } from '#web/testing/find-in-page.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { allOn, signedInUser } from '#web/testing/samples.ts';
import { TelegramCard } from './telegram-card.tsx';

const CONNECT = 'POST /api/user/telegram-connect';
const DISCONNECT = 'DELETE /api/user/telegram-disconnect';
const ACCOUNT = 'GET /api/auth/user';
const pending: CurrentUser = { ...signedInUser, telegramHandle: 'Mina_Tele' };
const connected: CurrentUser = { ...pending, telegramConnected: true };
const saved = {
  message: 'Open the bot and press Start to connect it.',
  telegramHandle: 'Mina_Tele',
  startUrl: 'https://t.me/a_bot?start=nonce-1',
};

function Card() {
  const { data: user } = useQuery(currentUserQuery);
  return user ? <TelegramCard user={user} /> : null;
}

async function show(user: CurrentUser, api: FakeRoutes = {}) {
  let account: CurrentUser | Response = user;
  const { bodies, routes } = renderScreen(<Card />, {
    api: { [ACCOUNT]: () => account, 'GET /api/user/notifications': allOn, ...api },
  });
  await screen.findByRole('heading', { name: 'Telegram Notifications' });
  return {
    bodies,
    routes: () => routes().filter((route) => route !== 'GET /api/user/notifications'),
    setAccount: (next: CurrentUser | Response) => {
      account = next;
    },
  };
}

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Telegram username (optional)' });
const button = (name: string) => screen.getByRole('button', { name });
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const changeVisibility = (visibilityState: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibilityState);
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
};

const badge = (): string | null | undefined =>
  screen
    .getByRole('heading', { name: 'Telegram Notifications' })
    .closest('header')
    ?.querySelector('[role=status]')?.textContent;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const code = () => screen.queryByRole('img', { name: 'QR code that opens the bot' });

// Specification 4.29, 5.20
it('the Telegram card says which messages come by Telegram, and adds an @ to a typed username', async () => {
  await show(signedInUser);
  expect(badge()).toBe('');
  const text = screen.getByText(/^Get new calls, updates and results from the callers you follow/);
  expect(text.textContent).not.toContain('payout');
  type('mina');
  expect(field().value).toBe('@mina');
  type('@@mina_tele');
  expect(field().value).toBe('@mina_tele');
  type('');
  expect(field().value).toBe('');
});

it('the Telegram card tells callers which extra messages they get', async () => {
  await show({ ...signedInUser, isCaller: true });
  screen.getByText(/You also get a message when you receive a payment or your payout wallet changes\.$/);
});

it('the Telegram card connects without a username', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { bodies, setAccount } = await show(signedInUser, { [CONNECT]: { ...saved, telegramHandle: null } });
  fireEvent.click(button('Connect Telegram'));
  expect(await findHref('Open the bot')).toBe(saved.startUrl);
  expect(bodies(CONNECT)).toEqual([{ telegramHandle: '' }]);
  expect(screen.queryByText(saved.message)).toBeNull();
  setAccount({ ...signedInUser, telegramConnected: true });
  await pass(POLL_MS.telegramStart);
  expect(await screen.findByRole('button', { name: 'Disconnect' })).toBeDefined();
  expect(badge()).toBe('Connected');
});

// Specification 8.35
it('the toast about a saved username goes when Telegram is connected', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { setAccount } = await show(signedInUser, { [CONNECT]: saved });
  type('mina_tele');
  setAccount(pending);
  fireEvent.click(button('Connect Telegram'));
  await expectToast('Telegram Handle Saved', saved.message);
  setAccount({ ...pending, telegramConnected: true });
  await pass(POLL_MS.telegramStart);
  await screen.findByRole('button', { name: 'Disconnect' });
  expect(screen.queryByText('Telegram Handle Saved')).toBeNull();
});

// Specification 8.24
it.each(failures('telegram.handle_invalid', 'Failed to connect Telegram'))(
  'the Telegram card shows %s when saving fails, and preserves the typed username',
  async (_what, response, text) => {
    await show(signedInUser, { [CONNECT]: response });
    type('mina_tele');
    fireEvent.click(button('Connect Telegram'));
    await expectToast('Error', text);
    expect(field().value).toBe('@mina_tele');
  },
);

describe('the pending Telegram card', () => {
  // Specification 4.30
  it('the pending Telegram card shows no link after a reload until the user asks for a new one', async () => {
    const { bodies } = await show(pending, { [CONNECT]: saved });
    expect(badge()).toBe('Pending');
    expect([screen.queryByRole('link'), code()]).toEqual([null, null]);
    fireEvent.click(button('Get a new link'));
    expect(await findHref('Open the bot')).toBe(saved.startUrl);
    expect(bodies(CONNECT)).toEqual([{ telegramHandle: 'Mina_Tele' }]);
  });

  it('the pending Telegram card shows no QR code on a phone', async () => {
    const listen = () => undefined;
    const narrow = { matches: false, addEventListener: listen, removeEventListener: listen };
    vi.stubGlobal('matchMedia', () => narrow);
    await show(pending, { [CONNECT]: saved });
    fireEvent.click(button('Get a new link'));
    expect(await screen.findByText('Open the bot, then press Start.')).toBeDefined();
    expect(code()).toBeNull();
  });

  const showLink = async (api: FakeRoutes = {}) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const card = await show(pending, { [CONNECT]: saved, ...api });
    fireEvent.click(button('Get a new link'));
    await screen.findByText('Waiting for you to press Start...');
    const countPolls = () => card.routes().filter((route) => route === ACCOUNT).length;
    return { ...card, countPolls };
  };

  const expectNoLink = () => {
    expect([
      screen.queryByRole('link', { name: 'Open the bot' }),
      code(),
      screen.queryByText('Waiting for you to press Start...'),
    ]).toEqual([null, null, null]);
    expect(button('Get a new link')).toBeDefined();
  };

  it('the pending Telegram card hides the link after another tab saved another username', async () => {
    const { setAccount, bodies } = await showLink();
    await waitFor(() => expect(code()).not.toBeNull());
    setAccount({ ...pending, telegramHandle: 'other_name' });
    await pass(POLL_MS.telegramStart);
    expect(screen.getByText('@other_name')).toBeDefined();
    expectNoLink();
    expect(button('Change username')).toBeDefined();
    fireEvent.click(button('Get a new link'));
    const handles = ['Mina_Tele', 'other_name'].map((telegramHandle) => ({ telegramHandle }));
    await waitFor(() => expect(bodies(CONNECT)).toEqual(handles));
  });

  it('the pending Telegram card hides the link when it expires after a day', async () => {
    await showLink();
    vi.setSystemTime(Date.now() + TELEGRAM_START_LINK_MS - 2 * MINUTE_MS);
    await pass(MINUTE_MS);
    expect(screen.getByRole('link', { name: 'Open the bot' })).toBeDefined();
    await pass(MINUTE_MS);
    expectNoLink();
  });

  it('the pending Telegram card replaces the shown link with a new one on request', async () => {
    let given = 0;
    const startUrl = (number: number) => `https://t.me/a_bot?start=nonce-${number}`;
    const { bodies } = await showLink({ [CONNECT]: () => ({ ...saved, startUrl: startUrl(++given) }) });
    const shown = await waitFor(() => code()?.innerHTML ?? expect.fail());
    expect(hrefOf('Open the bot')).toBe(startUrl(1));
    fireEvent.click(button('Get a new link'));
    await waitFor(() => expect(hrefOf('Open the bot')).toBe(startUrl(2)));
    expect(code()?.innerHTML).not.toBe(shown);
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Open the bot' }));
    expect(bodies(CONNECT)).toHaveLength(2);
  });

  // Specification 4.32
  it('the pending Telegram card polls while its link is shown, and gets the focus when it is connected', async () => {
    const { setAccount, countPolls } = await showLink();
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Open the bot' }));
    const before = countPolls();
    await pass(2 * POLL_MS.telegramStart);
    expect(countPolls()).toBe(before + 2);
    setAccount(connected);
    await pass(POLL_MS.telegramStart);
    await waitFor(() => expect(badge()).toBe('Connected'));
    expect(screen.queryByRole('link', { name: 'Open the bot' })).toBeNull();
    expect(document.activeElement?.contains(button('Disconnect'))).toBe(true);
    expect(document.activeElement).not.toBe(document.body);
    const after = countPolls();
    await pass(10 * POLL_MS.telegramStart);
    expect(countPolls()).toBe(after);
  });

  it('the pending Telegram card does not poll while the page is hidden', async () => {
    const { countPolls } = await showLink();
    changeVisibility('hidden');
    const before = countPolls();
    await pass(10 * POLL_MS.telegramStart);
    expect(countPolls()).toBe(before);
  });

  it('the pending Telegram card does not poll without a link', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { routes } = await show(pending);
    await pass(10 * POLL_MS.telegramStart);
    expect(routes()).toEqual([ACCOUNT]);
  });

  it('the pending Telegram card shows that a check failed, and continues polling', async () => {
    const { setAccount } = await showLink();
    setAccount(new Response('', { status: 503 }));
    await pass(POLL_MS.telegramStart);
    await screen.findByText("Couldn't check whether you pressed Start. Trying again...");
    setAccount(connected);
    await pass(POLL_MS.telegramStart);
    await waitFor(() => expect(badge()).toBe('Connected'));
  });

  // Specification 4.32
  it('the pending Telegram card shows Connected when the user returns after pressing Start', async () => {
    const { setAccount, routes } = await show(pending);
    setAccount(connected);
    changeVisibility('hidden');
    expect(routes()).toEqual([ACCOUNT]);
    changeVisibility('visible');
    await waitFor(() => expect(badge()).toBe('Connected'));
    expect(routes()).toEqual([ACCOUNT, ACCOUNT]);
  });

  it('the user can change the username on the pending Telegram card or cancel the change', async () => {
    const { bodies, setAccount } = await show(pending, {
      [CONNECT]: () => {
        setAccount({ ...pending, telegramHandle: 'other_name' });
        return { ...saved, telegramHandle: 'other_name' };
      },
    });
    fireEvent.click(button('Change username'));
    expect(field().value).toBe('@Mina_Tele');
    fireEvent.click(button('Cancel'));
    fireEvent.click(button('Change username'));
    type('other_name');
    fireEvent.click(button('Connect Telegram'));
    expect(await screen.findByRole('link', { name: 'Open the bot' })).toBeDefined();
    expect(screen.getAllByText('@other_name')).toHaveLength(1);
    expect(bodies(CONNECT)).toEqual([{ telegramHandle: 'other_name' }]);
  });
});

// Specification 4.32, 4.33, 8.36
it('the connected Telegram card shows the username and disconnects', async () => {
  const { setAccount, routes } = await show(connected, {
    [DISCONNECT]: () => {
      setAccount(signedInUser);
      return { message: 'Telegram Disconnected' };
    },
  });
  expect(badge()).toBe('Connected');
  expect(screen.getByText('@Mina_Tele')).toBeDefined();
  fireEvent.click(button('Disconnect'));
  await expectToast('Telegram Disconnected');
  expect(field().value).toBe('');
  expect(routes()).toContain(DISCONNECT);
});

it('the connected Telegram card becomes pending again, without the used link, after the user stops the bot', async () => {
  const { setAccount } = await show(pending, { [CONNECT]: saved });
  fireEvent.click(button('Get a new link'));
  await screen.findByRole('link', { name: 'Open the bot' });
  for (const [next, text] of [
    [connected, 'Connected'],
    [pending, 'Pending'],
  ] as const) {
    setAccount(next);
    changeVisibility('visible');
    await waitFor(() => expect(badge()).toBe(text));
  }
  expect(button('Get a new link')).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Open the bot' })).toBeNull();
});

// Specification 8.25
it('the connected Telegram card stays connected and shows an error when disconnecting fails', async () => {
  await show(connected, { [DISCONNECT]: () => new Response('', { status: 503 }) });
  fireEvent.click(button('Disconnect'));
  await expectToast('Error', 'Failed to disconnect Telegram');
  expect(badge()).toBe('Connected');
});

describe('the switch for calls from Telegram', () => {
  const SWITCH = 'PATCH /api/user/telegram-calls';
  const caller: CurrentUser = { ...connected, isCaller: true };
  const callsSwitch = () => screen.findByRole<HTMLInputElement>('switch', { name: 'Calls from this chat' });

  it('only callers have the switch for calls from Telegram, which changes the setting', async () => {
    await show(connected);
    expect(screen.queryByRole('switch', { name: 'Calls from this chat' })).toBeNull();
    const { bodies, setAccount } = await show(caller, { [SWITCH]: { isOn: true } });
    setAccount({ ...caller, telegramCalls: true });
    fireEvent.click(await callsSwitch());
    await waitFor(async () => expect((await callsSwitch()).checked).toBe(true));
    expect(bodies(SWITCH)).toEqual([{ isOn: true }]);
  });

  it('the switch for calls from Telegram stays off after a refusal, and asks for a fresh sign-in if needed', async () => {
    let reason = refuse(403, 'auth.fresh_sign_in_needed', 'Sign in again.');
    await show(caller, { [SWITCH]: () => reason });
    fireEvent.click(await callsSwitch());
    expect(await screen.findByRole('dialog', { name: 'Sign in again' })).toBeDefined();
    fireEvent.click(button('Not now'));
    expect((await callsSwitch()).checked).toBe(false);
    reason = refuse(409, 'telegram.not_connected', 'Connect Telegram first.');
    fireEvent.click(await callsSwitch());
    await expectToast('Error', 'Connect Telegram first.');
  });
});

it('the Telegram card asks for a fresh sign-in if the sign-in is too old to connect a chat', async () => {
  await show(signedInUser, { [CONNECT]: refuse(403, 'auth.fresh_sign_in_needed', 'Sign in again.') });
  fireEvent.click(screen.getByRole('button', { name: 'Connect Telegram' }));
  expect((await screen.findByRole('link', { name: 'Sign in again' })).getAttribute('href')).toContain(
    'telegram',
  );
  fireEvent.click(screen.getByRole('button', { name: 'Not now' }));
  expect(await screen.findByRole('button', { name: 'Connect Telegram' })).toBeTruthy();
});

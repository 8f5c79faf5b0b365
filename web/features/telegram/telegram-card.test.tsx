import { useQuery } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { type FakeRoutes, refuse, stubApi } from '#web/testing/fake-api.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { visitor } from '#web/testing/samples.ts';
import { TelegramCard } from './telegram-card.tsx';

const CONNECT = 'POST /api/user/telegram-connect';
const DISCONNECT = 'DELETE /api/user/telegram-disconnect';
const ACCOUNT = 'GET /api/auth/user';
const pending: CurrentUser = { ...visitor, telegramHandle: 'Mina_Tele' };
const connected: CurrentUser = { ...pending, telegramConnected: true };
const saved = { message: 'Open the bot and press Start to connect it.', telegramHandle: 'Mina_Tele', startUrl: 'https://t.me/a_bot?start=nonce-1' };

/** The card as the dashboard shows it: with the account as the server last told it. */
function Card() {
  const { data: user } = useQuery(currentUserQuery);
  return user ? <TelegramCard user={user} /> : null;
}

async function show(user: CurrentUser, api: FakeRoutes = {}) {
  let account = user;
  const calls = stubApi({ [ACCOUNT]: () => account, ...api });
  renderScreen(<Card />);
  await screen.findByRole('heading', { name: 'Telegram Notifications' });
  return {
    bodies: (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body),
    routes: () => calls.map(({ route }) => route),
    become: (next: CurrentUser) => {
      account = next;
    },
  };
}

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Telegram username' });
const button = (name: string) => screen.getByRole('button', { name });
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const comeBack = (visibilityState: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibilityState);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('without a handle', () => {
  it('asks for one, writes the @ itself, and says what it is for', async () => {
    await show(visitor);
    expect(screen.queryByText(/^(Pending|Connected)$/)).toBeNull();
    expect(screen.getByText(/^In Telegram you get updates of the callers you follow/)).toBeDefined();
    type('mina');
    expect(field().value).toBe('@mina');
    type('@@mina_tele');
    expect(field().value).toBe('@mina_tele');
    type('');
    expect(field().value).toBe('');
  });

  it.each([
    ['', 'Please enter your Telegram username'],
    ['@', 'Please enter your Telegram username'],
    ['mina', /5 to 32 letters/],
  ])('refuses %j beside the field, and sends nothing', async (typed, words) => {
    const { routes } = await show(visitor);
    type(typed);
    fireEvent.click(button('Connect Telegram'));
    expect((await screen.findByRole('alert')).textContent).toMatch(words);
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(routes()).toEqual([ACCOUNT]);
    type('mina_tele');
    expect(field().getAttribute('aria-invalid')).toBeNull();
  });

  it('saves it and shows the one step that is left, with the link to the bot in a new tab', async () => {
    const { bodies, become } = await show(visitor, {
      [CONNECT]: () => {
        become(pending);
        return saved;
      },
    });
    type('Mina_Tele');
    fireEvent.click(button('Connect Telegram'));
    await expectToast('Telegram Handle Saved', saved.message);
    expect(bodies(CONNECT)).toEqual([{ telegramHandle: 'Mina_Tele' }]);
    expect(screen.getByText('Pending')).toBeDefined();
    expect(screen.getByText('@Mina_Tele')).toBeDefined();
    expect(screen.getByText(/press Start in it/)).toBeDefined();
    const link = screen.getByRole('link', { name: 'Open the bot' });
    expect([link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')]).toEqual([saved.startUrl, '_blank', 'noopener noreferrer']);
    expect(document.activeElement).toBe(link);
  });

  it.each([
    ['the server’s reason', () => refuse(422, 'telegram.handle_invalid', 'That is none.'), 'That is none.'],
    ['its own words', () => new Response('', { status: 503 }), 'Failed to connect Telegram'],
  ])('says %s when it could not be saved, and keeps what was typed', async (_what, answer, words) => {
    await show(visitor, { [CONNECT]: answer });
    type('mina_tele');
    fireEvent.click(button('Connect Telegram'));
    await expectToast('Error', words);
    expect(field().value).toBe('@mina_tele');
  });
});

describe('while it is pending', () => {
  it('gives a new link after a reload, which replaces the one before', async () => {
    const { bodies } = await show(pending, { [CONNECT]: saved });
    expect(screen.getByText('Pending')).toBeDefined();
    expect(screen.queryByRole('link')).toBeNull();
    fireEvent.click(button('Get a new link'));
    expect((await screen.findByRole('link', { name: 'Open the bot' })).getAttribute('href')).toBe(saved.startUrl);
    expect(bodies(CONNECT)).toEqual([{ telegramHandle: 'Mina_Tele' }]);
  });

  it('says why there is no new link', async () => {
    await show(pending, { [CONNECT]: () => new Response('', { status: 500 }) });
    fireEvent.click(button('Get a new link'));
    await expectToast('Error', 'Failed to connect Telegram');
  });

  it('is connected when one comes back after Start', async () => {
    const { become, routes } = await show(pending);
    become(connected);
    comeBack('hidden');
    expect(routes()).toEqual([ACCOUNT]);
    comeBack('visible');
    expect(await screen.findByText('Connected')).toBeDefined();
    expect(routes()).toEqual([ACCOUNT, ACCOUNT]);
  });

  it('asks again when it is told to, and says that Start is still missing', async () => {
    const { become } = await show(pending);
    fireEvent.click(button('Check again'));
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain('Not connected yet'));
    become(connected);
    fireEvent.click(button('Check again'));
    expect(await screen.findByText('Connected')).toBeDefined();
  });

  it('lets the handle be changed, or not', async () => {
    const { bodies, become } = await show(pending, {
      [CONNECT]: () => {
        become({ ...pending, telegramHandle: 'other_name' });
        return { ...saved, telegramHandle: 'other_name' };
      },
    });
    fireEvent.click(button('Change handle'));
    expect(field().value).toBe('@Mina_Tele');
    fireEvent.click(button('Cancel'));
    fireEvent.click(button('Change handle'));
    type('other_name');
    fireEvent.click(button('Connect Telegram'));
    expect(await screen.findByText('@other_name')).toBeDefined();
    expect(bodies(CONNECT)).toEqual([{ telegramHandle: 'other_name' }]);
  });
});

describe('connected', () => {
  it('shows the handle, and disconnects', async () => {
    const { become, routes } = await show(connected, {
      [DISCONNECT]: () => {
        become(visitor);
        return { message: 'Telegram Disconnected' };
      },
    });
    expect(screen.getByText('Connected')).toBeDefined();
    expect(screen.getByText('@Mina_Tele')).toBeDefined();
    fireEvent.click(button('Disconnect'));
    await expectToast('Telegram Disconnected');
    expect(field().value).toBe('');
    expect(routes()).toContain(DISCONNECT);
  });

  it('does not ask again when one comes back', async () => {
    const { routes } = await show(connected);
    comeBack('visible');
    expect(routes()).toEqual([ACCOUNT]);
  });

  it.each([
    ['the server’s reason', () => refuse(500, 'server.failed', 'Something went wrong.'), 'Something went wrong.'],
    ['its own words', () => new Response('', { status: 503 }), 'Failed to disconnect Telegram'],
  ])('says %s when it could not be disconnected', async (_what, answer, words) => {
    await show(connected, { [DISCONNECT]: answer });
    fireEvent.click(button('Disconnect'));
    await expectToast('Error', words);
    expect(screen.getByText('Connected')).toBeDefined();
  });
});

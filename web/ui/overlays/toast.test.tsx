import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ToastMessage } from './toast-queue.ts';
import { toast } from './toast-queue.ts';
import { Toasts } from './toast.tsx';

const undo = vi.fn();
const messages: Readonly<Record<string, ToastMessage>> = {
  First: { title: 'First', description: 'one' },
  Second: { title: 'Second', variant: 'destructive' },
  Link: { title: 'Link', action: { label: 'Sign in', href: '/in' } },
  Action: { title: 'Action', action: { label: 'Undo', onClick: undo } },
};
const showToast = (title: string) => act(() => toast(messages[title] ?? { title }));
const visible = () => screen.queryAllByRole('group').map((toast) => toast.textContent);

beforeEach(() => {
  undo.mockClear();
  vi.useFakeTimers();
  render(<Toasts />);
});

// Specification 4.44, 9.43
it('only the newest toast is shown', () => {
  showToast('First');
  expect(visible()).toEqual([expect.stringContaining('Firstone')]);
  showToast('Second');
  expect(visible()).toEqual([expect.stringContaining('Second')]);
});

// Specification 9.44
it('a toast disappears after five seconds, even with a link', async () => {
  showToast('Link');
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/in');
  await act(() => vi.advanceTimersByTimeAsync(4_900));
  expect(visible()).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(visible()).toHaveLength(0);
});

it.each([
  ['can be dismissed', 'First', () => fireEvent.click(screen.getByLabelText('Dismiss')), 0],
  ['closes when its action is chosen', 'Action', () => fireEvent.click(screen.getByText('Undo')), 1],
])('a toast %s', async (_what, title, close, undone) => {
  showToast(title);
  close();
  await act(() => vi.advanceTimersByTimeAsync(500));
  expect(visible()).toHaveLength(0);
  expect(undo).toHaveBeenCalledTimes(undone);
});

import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ToastProvider, useToast, type ToastMessage } from './toast.tsx';

function Say({ message }: { message: ToastMessage }) {
  const { toast } = useToast();
  return (
    <button type="button" onClick={() => toast(message)}>
      say {message.title}
    </button>
  );
}

const undo = vi.fn();
const say = (title: string) => fireEvent.click(screen.getByText(`say ${title}`));
const visible = () => screen.queryAllByRole('group').map((toast) => toast.textContent);

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <ToastProvider>
      <Say message={{ title: 'First', description: 'one' }} />
      <Say message={{ title: 'Second', variant: 'destructive' }} />
      <Say message={{ title: 'Link', action: { label: 'Sign in', href: '/in' } }} />
      <Say message={{ title: 'Deed', action: { label: 'Undo', onClick: undo } }} />
    </ToastProvider>,
  );
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('[4.44, 9.43] only the newest toast is shown', () => {
  say('First');
  expect(visible()).toEqual([expect.stringContaining('Firstone')]);
  say('Second');
  expect(visible()).toEqual([expect.stringContaining('Second')]);
});

it('[9.44] a toast disappears after five seconds', async () => {
  say('First');
  await act(() => vi.advanceTimersByTimeAsync(4_900));
  expect(visible()).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(visible()).toHaveLength(0);
});

it('a toast can be dismissed', async () => {
  say('First');
  fireEvent.click(screen.getByLabelText('Dismiss'));
  await act(() => vi.advanceTimersByTimeAsync(500));
  expect(visible()).toHaveLength(0);
});

it('a toast can have a link, and disappears as usual', async () => {
  say('Link');
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/in');
  await act(() => vi.advanceTimersByTimeAsync(6_000));
  expect(visible()).toHaveLength(0);
});

it('a toast can have an action, whose button closes the toast', async () => {
  say('Deed');
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledOnce();
  await act(() => vi.advanceTimersByTimeAsync(500));
  expect(visible()).toHaveLength(0);
});

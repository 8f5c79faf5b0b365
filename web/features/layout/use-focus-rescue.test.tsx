import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { useFocusRescue } from './after-first-screen.tsx';

function Page({ hasButton = true, hasDialog = false }: { hasButton?: boolean; hasDialog?: boolean }) {
  useFocusRescue();
  return (
    <main>
      <h1>Ada Byron</h1>
      <div>{hasButton && <button type="button">Subscribe</button>}</div>
      <button type="button">Back</button>
      {hasDialog && <div role="dialog" aria-label="Edit Bio" />}
    </main>
  );
}

const focused = () => document.activeElement?.textContent;
const focus = (name: string) => act(() => screen.getByRole('button', { name }).focus());

beforeEach(() => void vi.useFakeTimers());

it("the focus moves to the page's heading when the focused element disappears, even after a minute", async () => {
  const { rerender } = render(<Page />);
  focus('Subscribe');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(focused()).toBe('Subscribe');
  rerender(<Page hasButton={false} />);
  await vi.advanceTimersByTimeAsync(1);
  expect(focused()).toBe('Ada Byron');
});

it('the focus does not move when an element that has lost the focus to another disappears', async () => {
  const { rerender } = render(<Page />);
  focus('Subscribe');
  focus('Back');
  rerender(<Page hasButton={false} />);
  await vi.advanceTimersByTimeAsync(1);
  expect(focused()).toBe('Back');
});

it('the focus does not move when a blurred element disappears', async () => {
  const { rerender } = render(<Page />);
  focus('Subscribe');
  act(() => screen.getByRole('button', { name: 'Subscribe' }).blur());
  await vi.advanceTimersByTimeAsync(1);
  rerender(<Page hasButton={false} />);
  await vi.advanceTimersByTimeAsync(1);
  expect(document.activeElement).toBe(document.body);
});

it('the focus does not move when the focused element disappears while a dialog is open', async () => {
  const { rerender } = render(<Page hasDialog />);
  focus('Subscribe');
  rerender(<Page hasButton={false} hasDialog />);
  await vi.advanceTimersByTimeAsync(1);
  expect(document.activeElement).toBe(document.body);
});

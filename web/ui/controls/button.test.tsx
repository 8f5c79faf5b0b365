import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Button } from './button.tsx';

/** Fires the events of a double click. In a browser, the second click has detail 2. */
function doubleClick(button: HTMLElement) {
  fireEvent.click(button, { detail: 1 });
  fireEvent.click(button, { detail: 2 });
}

it('a button with a pending state runs its action once on a double click', () => {
  const act = vi.fn();
  render(
    <Button isPending={false} onClick={act}>
      Pay
    </Button>,
  );
  doubleClick(screen.getByRole('button'));
  expect(act).toHaveBeenCalledTimes(1);
});

it('a button with a pending state submits its form once on a double click', () => {
  const submit = vi.fn((event: React.FormEvent) => event.preventDefault());
  render(
    <form onSubmit={submit}>
      <Button type="submit" isPending={false}>
        Save
      </Button>
    </form>,
  );
  doubleClick(screen.getByRole('button'));
  expect(submit).toHaveBeenCalledTimes(1);
});

it('a button ignores clicks while it is pending', () => {
  const act = vi.fn();
  render(
    <Button isPending pendingText="Paying..." onClick={act}>
      Pay
    </Button>,
  );
  const button = screen.getByRole('button', { name: 'Paying...' });
  fireEvent.click(button);
  expect(button.getAttribute('aria-busy')).toBe('true');
  expect(act).not.toHaveBeenCalled();
});

it('a button without a pending state acts on every click', () => {
  const act = vi.fn();
  render(<Button onClick={act}>Turn around</Button>);
  doubleClick(screen.getByRole('button'));
  expect(act).toHaveBeenCalledTimes(2);
});

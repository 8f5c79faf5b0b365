import { cleanup, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { ConfirmButtons } from './confirm-buttons.tsx';
import { Dialog } from './dialog.tsx';

afterEach(cleanup);

const open = (children: ReactNode) =>
  render(
    <Dialog open onOpenChange={() => undefined} title="Title">
      {children}
    </Dialog>,
  );
const expectFocus = (name: string) =>
  waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(name)));

describe('Dialog', () => {
  it.each([
    [
      'its first choice',
      <>
        <button type="button" aria-label="Disabled" disabled />
        <button type="button" aria-label="First" />
      </>,
      'First',
    ],
    [
      'the chosen one of several options',
      <>
        <input type="radio" aria-label="Free" />
        <input type="radio" aria-label="Paid" checked readOnly />
      </>,
      'Paid',
    ],
    ['its close button if it has no choice', 'Nothing to choose.', 'Close'],
  ])('focuses %s when it opens', async (_name, children, focused) => {
    open(children);
    await expectFocus(focused);
  });
});

it('the button that cancels is left of the button that confirms, which is marked as destructive', () => {
  render(
    <ConfirmButtons
      confirmLabel="End call"
      pendingText="Ending..."
      isPending={false}
      onConfirm={() => undefined}
      cancelLabel="Keep call"
      onCancel={() => undefined}
    />,
  );
  const buttons = screen.getAllByRole('button');
  expect(buttons.map(({ textContent }) => textContent)).toEqual(['Keep call', 'End call']);
  expect(buttons[1]?.className).toContain('border-loss');
});

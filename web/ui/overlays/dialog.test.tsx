import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { ConfirmButtons } from '../controls/confirm-buttons.tsx';
import { DialogNotice } from './dialog-notice.ts';
import { Dialog, type DialogProps } from './dialog.tsx';
import { toast, type ToastMessage } from './toast-queue.ts';

const open = (children: ReactNode) =>
  renderScreen(
    <Dialog open onOpenChange={() => undefined} title="Title">
      {children}
    </Dialog>,
  );
it('a dialog still shows why the last attempt failed after the toast is gone, until the next one', () => {
  open(null);
  const raise = (message: ToastMessage | null) => act(() => toast(message));
  raise({ title: 'Error', description: 'You seem to be offline.', variant: 'destructive' });
  raise(null);
  within(screen.getByRole('dialog')).getByText('You seem to be offline.');
  raise({ title: 'Saved' });
  expect(screen.queryByText('You seem to be offline.')).toBeNull();
});

const expectFocus = (name: string) =>
  waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(name)));

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
    'its marked choice',
    <>
      <button type="button" aria-label="Copy" />
      <button type="button" aria-label="Continue" data-first-choice="" />
    </>,
    'Continue',
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
])('a dialog focuses %s when it opens', async (_name, children, focused) => {
  open(children);
  await expectFocus(focused);
});

it('a double click selects no text of a dialog, except in its fields', () => {
  open(
    <>
      <p>Text</p>
      <input aria-label="Field" />
    </>,
  );
  const isSelecting = (element: HTMLElement, detail: number) => fireEvent.mouseDown(element, { detail });
  const text = screen.getByText('Text');
  expect([isSelecting(text, 1), isSelecting(text, 2)]).toEqual([true, false]);
  expect(isSelecting(screen.getByLabelText('Field'), 2)).toBe(true);
});

it('the cancel button is left of the confirm button, and the confirm button is marked as destructive', () => {
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

function openToPay(props: Partial<DialogProps> = {}) {
  const onOpenChange = vi.fn();
  renderScreen(
    <DialogNotice value="Sign in again">
      <Dialog open onOpenChange={onOpenChange} title="Pay" {...props}>
        <button type="button">Sign</button>
      </Dialog>
    </DialogNotice>,
  );
  return onOpenChange;
}

const pressEscape = () => fireEvent.keyDown(screen.getByRole('button', { name: 'Sign' }), { key: 'Escape' });
async function clickOutside() {
  const scrim = document.querySelector('[data-scrim]') as HTMLElement;
  await waitFor(() => expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true));
  fireEvent.pointerDown(scrim, { pointerType: 'mouse' });
  fireEvent.mouseDown(scrim);
  fireEvent.click(scrim);
}

it('a dialog closes on Escape and on a click outside', async () => {
  const onOpenChange = openToPay();
  pressEscape();
  expect(onOpenChange).toHaveBeenLastCalledWith(false);
  await clickOutside();
  expect(onOpenChange).toHaveBeenCalledTimes(2);
});

it('a busy dialog can be closed only with its close button', async () => {
  const onOpenChange = openToPay({ isBusy: true });
  pressEscape();
  await clickOutside();
  expect(onOpenChange).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onOpenChange).toHaveBeenCalledWith(false);
});

it("a dialog shows the page's notice", () => {
  openToPay();
  expect(screen.getByRole('dialog').textContent).toContain('Sign in again');
});

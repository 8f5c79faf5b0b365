import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Table } from './table.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('a table’s edge is faded while more columns are hidden', () => {
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(900);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(300);
  let resize = () => {};
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        resize = callback;
      }
      observe() {}
      disconnect() {}
    },
  );
  render(
    <Table label="Callers">
      <tbody />
    </Table>,
  );
  act(() => resize());
  expect(screen.getByTestId('table-goes-on')).toBeTruthy();
  const box = screen.getByRole('table').parentElement as HTMLElement;
  box.scrollLeft = 600;
  fireEvent.scroll(box);
  expect(screen.queryByTestId('table-goes-on')).toBeNull();
  vi.unstubAllGlobals();
});

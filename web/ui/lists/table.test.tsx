import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { Table } from './table.tsx';

let resize = () => {};

beforeEach(() => {
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
});

const setWidths = (table: number, box: number) => {
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(table);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(box);
};
const renderTable = () => {
  render(
    <Table label="Callers">
      <tbody />
    </Table>,
  );
  return screen.getByRole('table').parentElement as HTMLElement;
};

it('a table’s edge is faded while more columns are hidden', () => {
  setWidths(900, 300);
  const box = renderTable();
  expect(screen.getByTestId('table-goes-on')).toBeTruthy();
  box.scrollLeft = 600;
  fireEvent.scroll(box);
  expect(screen.queryByTestId('table-goes-on')).toBeNull();
});

it('a table scrolls sideways, with sticky columns, only while it is too wide', () => {
  setWidths(1229, 1166);
  const frame = renderTable().parentElement;
  expect(frame?.hasAttribute('data-too-wide')).toBe(true);
  setWidths(1166, 1166);
  act(() => resize());
  expect(frame?.hasAttribute('data-too-wide')).toBe(false);
});

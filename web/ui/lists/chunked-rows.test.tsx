import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stubNearness } from '#web/testing/intersection.ts';
import { ChunkedList, ChunkedTableBodies } from './chunked-rows.tsx';
import { Table } from './table.tsx';

let nearness: ReturnType<typeof stubNearness>;
let names = 0;

beforeEach(() => {
  nearness = stubNearness();
  names += 1;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => `Row ${index + 1}`);
const asItem = (row: string, position: number) => (
  <p key={row} role="listitem" aria-posinset={position}>
    <button type="button">{row}</button>
  </p>
);
const asRow = (row: string, position: number) => (
  <tr key={row} aria-rowindex={position + 1}>
    <td>{row}</td>
  </tr>
);

const shared = { textOf: (row: string) => row, estimatedRowHeight: 50 };
const list = (count: number) => (
  <ChunkedList name={`list ${names}`} rows={rowsOf(count)} renderRow={asItem} className="grid" {...shared} />
);
/** The code that watches the window is loaded for long lists. */
const settle = () => act(() => vi.dynamicImportSettled());
const shown = () => screen.queryAllByRole('listitem').map((item) => item.textContent);
const chunks = () => [...screen.getByRole('list').children] as HTMLElement[];

describe('a list of rows', () => {
  it('is whole up to 60 rows', () => {
    render(list(60));
    expect(shown()).toEqual(rowsOf(60));
  });

  it('has only the rows near the window in the document once it is longer', async () => {
    const { rerender } = render(list(60));
    rerender(list(1_200));
    await settle();
    expect(chunks()).toHaveLength(200);
    act(() =>
      nearness.report([
        [chunks()[0], true],
        ...chunks()
          .slice(1)
          .map((chunk) => [chunk, false] as const),
      ]),
    );
    expect(shown()).toEqual(rowsOf(6));
    act(() =>
      nearness.report([
        [chunks()[0], false],
        [chunks()[199], true],
      ]),
    );
    expect(shown()).toEqual(rowsOf(1_200).slice(-6));
    expect(screen.getAllByRole('listitem')[0]?.getAttribute('aria-posinset')).toBe('1195');
    // Far fewer than rows.
    expect(document.querySelectorAll('*').length).toBeLessThan(500);
  });

  it('keeps its height, and the text of what is missing for the browser’s search', async () => {
    render(list(120));
    await settle();
    act(() =>
      nearness.report([
        [chunks()[0], false, 480],
        [chunks()[1], true],
      ]),
    );
    const gap = chunks()[0]?.firstElementChild as HTMLElement;
    expect([gap.style.height, gap.getAttribute('hidden'), gap.getAttribute('aria-hidden')]).toEqual([
      '480px',
      'until-found',
      'true',
    ]);
    expect(gap.textContent).toBe('Row 1, Row 2, Row 3, Row 4, Row 5, Row 6');
    act(() => void gap.dispatchEvent(new Event('beforematch')));
    expect(shown()).toContain('Row 1');
  });

  it('keeps the row with the focus', async () => {
    render(list(120));
    await settle();
    screen.getByRole('button', { name: 'Row 1' }).focus();
    act(() =>
      nearness.report([
        [chunks()[0], false],
        [chunks()[5], true],
      ]),
    );
    expect(shown()).toEqual([...rowsOf(6), ...rowsOf(36).slice(30)]);
  });

  it('continues where the user has left it', async () => {
    const { unmount } = render(list(120));
    await settle();
    act(() =>
      nearness.report([
        [chunks()[0], false, 480],
        [chunks()[9], true],
      ]),
    );
    unmount();
    render(list(120));
    await settle();
    expect(shown()).toEqual(rowsOf(60).slice(54));
    expect(document.querySelector<HTMLElement>('[hidden]')?.style.height).toBe('480px');
  });
});

it('a table has bodies of which only those near the window have rows', async () => {
  render(
    <Table label="Rows" rowCount={121}>
      <ChunkedTableBodies
        name={`table ${names}`}
        columns={1}
        rows={rowsOf(120)}
        renderRow={asRow}
        {...shared}
      />
    </Table>,
  );
  await settle();
  const table = screen.getByRole('table', { name: 'Rows' });
  const bodies = [...table.querySelectorAll('tbody')];
  act(() =>
    nearness.report([
      [bodies[0], false],
      [bodies[1], true],
    ]),
  );
  expect(table.getAttribute('aria-rowcount')).toBe('121');
  expect(screen.getAllByRole('row').map((row) => row.getAttribute('aria-rowindex'))).toEqual(
    rowsOf(12).map((_, index) => String(index + 14)),
  );
});

import { act, screen } from '@testing-library/react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeatEarlyClicks } from '#web/lib/browser/early-clicks.ts';
import { DirectoryControls } from './directory-controls.tsx';
import type { DirectorySearch } from './directory-search.ts';

const address: DirectorySearch = {};
let root: Root | undefined;
let reported: DirectorySearch[];

/** Renders the controls with a URL that stays the same, as it does until a navigation ends. */
const controls = () => (
  <DirectoryControls
    search={address}
    onSearchChange={(search) => void reported.push(search)}
    onClear={() => undefined}
    clears={0}
  />
);

const sort = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Sort by' });
const verified = () => screen.getByRole<HTMLInputElement>('switch', { name: 'Verified only' });
const search = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' });
const hydrate = () =>
  act(async () => {
    root = hydrateRoot(document.body.firstElementChild as Element, controls());
    repeatEarlyClicks();
  });

beforeEach(() => {
  vi.useFakeTimers();
  reported = [];
  window.earlyClicks = [];
  document.body.innerHTML = `<div>${renderToString(controls())}</div>`;
  // jsdom doesn't choose the selected option of parsed HTML.
  sort().value = 'avgReturn';
});
afterEach(() => {
  act(() => root?.unmount());
  document.body.replaceChildren();
});

it('the directory controls report what was chosen, clicked and typed before hydration', async () => {
  verified().checked = true;
  search().value = 'ada';
  screen.getByRole<HTMLInputElement>('radio', { name: 'Table' }).checked = true;
  window.earlyClicks?.push(
    screen.getByRole('button', { name: 'Highest first' }).firstElementChild as Element,
  );
  await hydrate();
  act(() => void vi.advanceTimersByTime(1_000));
  expect(reported.at(-1)).toEqual({
    verified: 'true',
    view: 'table',
    order: 'asc',
    search: 'ada',
  });
  expect([verified().checked, search().value]).toEqual([true, 'ada']);
});

it('the directory controls report nothing if nothing was chosen before hydration', async () => {
  window.earlyClicks?.push(sort());
  await hydrate();
  act(() => void vi.advanceTimersByTime(1_000));
  expect(reported).toEqual([]);
});

it('a directory select preserves a choice whose change event arrives after hydration', async () => {
  sort().value = 'fee';
  await hydrate();
  act(() => root?.render(controls()));
  act(() => void sort().dispatchEvent(new Event('change', { bubbles: true })));
  expect(sort().value).toBe('fee');
  expect(reported.at(-1)).toEqual({ sort: 'fee' });
});

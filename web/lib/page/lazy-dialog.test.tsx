import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { SLOW_CONNECTION_MS } from '#schema/constants/web.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { lazyDialog, type LazyDialogProps } from './lazy-dialog.tsx';

const Loaded = ({ open }: LazyDialogProps) => open && <p>The dialog</p>;

/** Renders a button that opens a dialog. The dialog's code comes from `load`. */
function show(load: () => Promise<void>) {
  const LazyDialog = lazyDialog(async () => {
    await load();
    return Loaded;
  });
  function Screen() {
    const [isOpen, setIsOpen] = useState(false);
    return (
      <>
        <p>The page</p>
        <button type="button" onClick={() => setIsOpen(true)}>
          Open
        </button>
        <LazyDialog open={isOpen} onOpenChange={setIsOpen} />
      </>
    );
  }
  renderScreen(<Screen />);
}

const failOnce = () =>
  vi.fn<() => Promise<void>>().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue();

async function open() {
  fireEvent.click(screen.getByRole('button', { name: 'Open' }));
  await pass(0);
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const isShown = (text: string) => screen.queryAllByText(text).length > 0;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => Promise.resolve(new Response()));
});

it('a lazy dialog loads its code when it first opens', async () => {
  const load = vi.fn<() => Promise<void>>().mockResolvedValue();
  show(load);
  expect(load).not.toHaveBeenCalled();
  await open();
  expect(isShown('The dialog')).toBe(true);
});

it('a lazy dialog whose code fails to load offline shows an error, and loads on the next click', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  show(failOnce());
  await open();
  expect(isShown("Couldn't open this")).toBe(true);
  expect(isShown("You're offline. Check your connection and try again.")).toBe(true);
  expect(isShown('The page')).toBe(true);
  await open();
  expect(isShown('The dialog')).toBe(true);
});

it('a lazy dialog offers to reload the page if the server responds but the dialog’s code is missing', async () => {
  show(failOnce());
  await open();
  expect(isShown("Couldn't open this")).toBe(true);
  expect(isShown('Reload the page')).toBe(true);
});

it('a lazy dialog says that the connection is slow if its code takes long to load', async () => {
  show(() => new Promise((resolve) => setTimeout(resolve, SLOW_CONNECTION_MS + 100)));
  await open();
  await pass(SLOW_CONNECTION_MS - 1);
  expect(isShown('The connection is slow')).toBe(false);
  await pass(1);
  expect(isShown('The connection is slow')).toBe(true);
  await pass(100);
  expect(isShown('The dialog')).toBe(true);
});

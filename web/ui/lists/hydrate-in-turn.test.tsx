import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hydrateParts, startPageHydration } from '#web/lib/page-hydration.ts';
import { HydrateInTurn } from './hydrate-in-turn.tsx';

let steps: string[];
let root: Root | undefined;

beforeEach(() => {
  steps = [];
});
afterEach(() => {
  act(() => root?.unmount());
  cleanup();
  document.body.replaceChildren();
});

function Part({ name }: { name: string }) {
  const [count, setCount] = useState(0);
  useEffect(() => void steps.push(`${name} is hydrated`), [name]);
  return <button onClick={() => setCount(count + 1)}>{`${name}: ${count}`}</button>;
}

function Page() {
  useEffect(() => void steps.push('the page is hydrated'), []);
  return (
    <main>
      <HydrateInTurn>
        <Part name="one" />
      </HydrateInTurn>
      <HydrateInTurn>
        <Part name="two" />
      </HydrateInTurn>
    </main>
  );
}

async function open(): Promise<{ finished: Promise<void>; errors: unknown[] }> {
  document.body.innerHTML = `<div>${renderToString(<Page />)}</div>`;
  const errors: unknown[] = [];
  const finished = startPageHydration();
  await act(async () => {
    root = hydrateRoot(document.body.firstElementChild as Element, <Page />, {
      onRecoverableError: (error) => errors.push(error),
    });
  });
  return { finished, errors };
}

it('parts are hydrated one by one, after the rest of the page', async () => {
  const { finished, errors } = await open();
  const button = screen.getByText('one: 0');
  expect(steps).toEqual(['the page is hydrated']);
  void hydrateParts();
  await waitFor(() => expect(steps).toHaveLength(3));
  expect(steps).toEqual(['the page is hydrated', 'one is hydrated', 'two is hydrated']);
  await finished;
  expect(screen.getByText('one: 0')).toBe(button);
  expect(errors).toEqual([]);
});

it('a click hydrates its part at once', async () => {
  const { finished, errors } = await open();
  await act(async () => screen.getByText('two: 0').click());
  expect(screen.getByText('two: 1')).toBeDefined();
  void hydrateParts();
  await waitFor(() => expect(steps).toHaveLength(3));
  await finished;
  expect(screen.getByText('two: 1')).toBeDefined();
  expect(errors).toEqual([]);
});

it('a page without parts is hydrated at once', async () => {
  const finished = startPageHydration();
  await hydrateParts();
  await finished;
});

import { act, cleanup } from '@testing-library/react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useIsHydrated } from '#web/ui/use-is-hydrated.ts';
import { repeatEarlyEvents } from './early-events.ts';

let root: Root | undefined;
let reported: string[] = [];

/** Controls whose values stay as they are, as with a value from the URL. They render again after hydration. */
function Controls() {
  const isHydrated = useIsHydrated();
  return (
    <div aria-busy={!isHydrated}>
      <select value="winRate" onChange={(event) => reported.push(event.target.value)}>
        <option value="avgReturn">Avg Return</option>
        <option value="winRate">Win Rate</option>
        <option value="fee">Monthly Fee</option>
      </select>
      <input type="checkbox" checked onChange={(event) => reported.push(String(event.target.checked))} />
      <input type="text" value="" onChange={(event) => reported.push(event.target.value)} />
      <button onClick={() => reported.push('clicked')}>Verify</button>
    </div>
  );
}

const control = (selector: string) => {
  const found = document.querySelector<HTMLInputElement>(selector);
  if (found === null) throw new Error(`There's no ${selector}.`);
  return found;
};

/** Do what public/early.js does. */
const keepEvent = ({ type, target }: Event) => {
  const { value, checked } = target as HTMLInputElement;
  window.earlyEvents?.push({ type, target, value, checked });
};
const noteIfHandled = ({ target }: Event) => {
  const isHandled = Object.keys(target ?? {}).some((key) => key.startsWith('__react'));
  window.earlyEvents = window.earlyEvents?.with(-1, { ...lastEvent(), isHandled }) ?? null;
};
const lastEvent = () => {
  const last = window.earlyEvents?.at(-1);
  if (last === undefined) throw new Error('No event was kept.');
  return last;
};
const types = ['click', 'input'];

/** Does what a browser does. React may reset the value between the two events. */
function select(value: string): void {
  control('select').value = value;
  control('select').dispatchEvent(new Event('input', { bubbles: true }));
  control('select').dispatchEvent(new Event('change', { bubbles: true }));
}

const choices = {
  'a choice': () => {
    select('fee');
    return 'fee';
  },
  'a click on a checkbox': () => {
    control('[type=checkbox]').click();
    return 'false';
  },
  'typed text': () => {
    // The element's own property, with which React follows the value, would hide the change from it.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(
      control('[type=text]'),
      'ada',
    );
    control('[type=text]').dispatchEvent(new Event('input', { bubbles: true }));
    return 'ada';
  },
};

beforeEach(() => {
  reported = [];
  window.earlyEvents = [];
  for (const type of types) {
    addEventListener(type, keepEvent, true);
    addEventListener(type, noteIfHandled);
  }
  document.body.innerHTML = `<div id="root">${renderToString(<Controls />)}</div>`;
});
afterEach(() => {
  for (const type of types) {
    removeEventListener(type, keepEvent, true);
    removeEventListener(type, noteIfHandled);
  }
  act(() => root?.unmount());
  cleanup();
});

async function hydrate(during?: () => void): Promise<void> {
  await act(async () => {
    root = hydrateRoot(control('#root'), <Controls />);
    during?.();
  });
}

const repeat = () => act(repeatEarlyEvents);

it.each(Object.entries(choices))('%s from before hydration is reported', async (_, choose) => {
  const value = choose();
  await hydrate();
  await repeat();
  expect(reported).toEqual([value]);
});

it.each(Object.entries(choices))('%s during hydration is what is reported last', async (_, choose) => {
  let value = '';
  await hydrate(() => {
    value = choose();
  });
  await repeat();
  expect(reported.at(-1)).toBe(value);
});

it('a choice that changes again during hydration is reported as it is then', async () => {
  choices['a choice']();
  await hydrate(() => select('avgReturn'));
  await repeat();
  expect(reported.at(-1)).toBe('avgReturn');
});

it('a click from before hydration is repeated', async () => {
  control('button').click();
  await hydrate();
  await repeat();
  expect(reported).toEqual(['clicked']);
});

it('a click that React handles is not repeated', async () => {
  await hydrate(() => control('button').click());
  await repeat();
  expect(reported).toEqual(['clicked']);
});

it('nothing is reported for a control that was only clicked', async () => {
  control('select').click();
  control('[type=text]').click();
  await hydrate();
  await repeat();
  expect(reported).toEqual([]);
});

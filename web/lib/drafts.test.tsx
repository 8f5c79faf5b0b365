import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { dropAllDrafts, useDraft } from './drafts.ts';

const KEY = 'solcallers.draft..call';

function Form() {
  const { value, change } = useDraft('call', { thesis: '', target: '' });
  return (
    <input
      value={`${value.thesis}|${value.target}`}
      onChange={({ target }) => change({ ...value, thesis: target.value })}
    />
  );
}

const shown = () => screen.getByRole<HTMLInputElement>('textbox').value;

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it.each([
  ['lacks a field gets the initial one', '{"thesis":"Hats"}', 'Hats|'],
  ['is of another kind is ignored', '"Hats"', '|'],
  ["isn't JSON is ignored", '{"thesis":', '|'],
])('a draft of another version of the app that %s', (_what, kept, expected) => {
  sessionStorage.setItem(KEY, kept);
  renderScreen(<Form />);
  expect(shown()).toBe(expected);
});

it('a draft outlives its component, but not a reload, if the browser’s storage is blocked or full', () => {
  const full = () => {
    throw new Error('QuotaExceededError');
  };
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(full);
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(full);
  renderScreen(<Form />);
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Hats' } });
  expect(shown()).toBe('Hats|');
  cleanup();
  renderScreen(<Form />);
  expect(shown()).toBe('Hats|');
  dropAllDrafts();
});

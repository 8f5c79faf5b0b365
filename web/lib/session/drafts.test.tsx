import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { useDraft } from './drafts.ts';
import { dropAllDrafts } from './drop-drafts.ts';

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

it.each([
  ['gets initial values for missing fields', '{"thesis":"Hats"}', 'Hats|'],
  ['is ignored if it has another type', '"Hats"', '|'],
  ["is ignored if it isn't JSON", '{"thesis":', '|'],
])('a draft from another version of the app %s', (_what, saved, expected) => {
  sessionStorage.setItem(KEY, saved);
  renderScreen(<Form />);
  expect(shown()).toBe(expected);
});

it('a draft outlives its component even if the browser’s storage is blocked or full', () => {
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

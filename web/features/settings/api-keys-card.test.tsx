import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { CreatedApiKey } from '#schema/contracts/api-keys.ts';
import { refuse } from '#web/testing/fake-api.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { ApiKeysCard } from './api-keys-card.tsx';

const CREATE = 'POST /api/user/api-keys';
const created: CreatedApiKey = { id: 'a1', key: `sc_${'k'.repeat(54)}` };

const show = (api: Record<string, unknown>, isCaller = true) =>
  renderScreen(<ApiKeysCard isCaller={isCaller} />, { api });
const openForm = async () => {
  fireEvent.click(await screen.findByRole('button', { name: 'Create a key' }));
  return within(await screen.findByRole('dialog', { name: 'Create an API key' }));
};
const submit = async (form: Awaited<ReturnType<typeof openForm>>) => {
  fireEvent.change(form.getByLabelText('Name'), { target: { value: 'Bot' } });
  fireEvent.click(form.getByRole('button', { name: 'Create' }));
};

it('the API keys card creates a key that may make calls and shows the key until the dialog closes', async () => {
  const { bodies } = show({ [CREATE]: created });
  const form = await openForm();
  fireEvent.click(form.getByRole('switch', { name: 'May call' }));
  await submit(form);
  await screen.findByRole('dialog', { name: 'Copy your key now' });
  expect(screen.getByText(created.key)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy API key' })).toBeTruthy();
  expect(bodies(CREATE)).toEqual([{ name: 'Bot', mayCall: true }]);
  fireEvent.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByText(created.key)).toBeNull());
});

it('the API keys card offers “May call” only to callers', async () => {
  const { bodies } = show({ [CREATE]: created }, false);
  const form = await openForm();
  expect(form.queryByRole('switch')).toBeNull();
  await submit(form);
  await screen.findByText(created.key);
  expect(bodies(CREATE)).toEqual([{ name: 'Bot', mayCall: false }]);
});

it('the API keys card shows why a key was refused, or asks for a fresh sign-in', async () => {
  let reason = refuse(422, 'api_keys.too_many', 'Revoke one first.');
  show({ [CREATE]: () => reason });
  const form = await openForm();
  await submit(form);
  expect((await form.findByRole('alert')).textContent).toContain('Revoke one first.');
  reason = refuse(403, 'auth.fresh_sign_in_needed', 'Sign in again.');
  fireEvent.click(form.getByRole('button', { name: 'Create' }));
  const link = await screen.findByRole('link', { name: 'Sign in again' });
  expect(link.getAttribute('href')).toContain('api-keys');
});

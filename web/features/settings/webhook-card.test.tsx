import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Webhook } from '#schema/contracts/webhooks.ts';
import { refuse } from '#web/testing/fake-api.ts';
import { textsOf } from '#web/testing/find-in-page.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { WebhookCard } from './webhook-card.tsx';

const READ = 'GET /api/user/webhook';
const SAVE = 'PUT /api/user/webhook';
const NONE: Webhook = { url: null, deliveries: [] };
const URL = 'https://bot.example.com/hook';
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const SAVED: Webhook = {
  url: URL,
  deliveries: [
    { kind: 'call_opened', at: '2099-01-02T03:04:00.000Z', result: 'waiting' },
    { kind: 'payment_received', at: ago(2), result: 'delivered' },
  ],
};

const show = (api: Record<string, unknown>) => renderScreen(<WebhookCard />, { api });
const save = async () => {
  fireEvent.change(await screen.findByLabelText('Address of your program'), { target: { value: URL } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
};

it('the webhook card saves an address and shows the new secret', async () => {
  let webhook = NONE;
  const { bodies } = show({
    [READ]: () => webhook,
    [SAVE]: () => {
      webhook = { ...NONE, url: URL };
      return { ...webhook, secret: 'whsec_abc' };
    },
  });
  await save();
  await screen.findByRole('button', { name: 'Save with a new secret' });
  expect((await screen.findByText('whsec_abc')).textContent).toBe('whsec_abc');
  expect(bodies(SAVE)).toEqual([{ url: URL }]);
});

it('the webhook card shows why an address was refused, or asks for a fresh sign-in', async () => {
  let reason = refuse(422, 'webhooks.address_refused', 'Use a public address.');
  show({ [READ]: NONE, [SAVE]: () => reason });
  await save();
  expect((await screen.findByText('Use a public address.')).getAttribute('role')).toBe('alert');
  reason = refuse(403, 'auth.fresh_sign_in_needed', 'Sign in again.');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByRole('link', { name: 'Sign in again' });
});

it('the webhook card lists deliveries, and can send samples and remove the webhook', async () => {
  const { routes } = show({
    [READ]: SAVED,
    'POST /api/user/webhook/samples': { status: 204, sent: 6 },
    'DELETE /api/user/ways/webhook': { message: 'Ended the webhook.' },
  });
  expect(textsOf(await screen.findAllByRole('listitem'))).toEqual([
    expect.stringMatching(/^Call openedNext attempt · .*2099/),
    expect.stringMatching(/^Payment receivedDelivered · 2m ago/),
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Send me samples' }));
  await expectToast('Samples Sent', 'Your program responded 204.');
  fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(routes()).toContain('DELETE /api/user/ways/webhook'));
});

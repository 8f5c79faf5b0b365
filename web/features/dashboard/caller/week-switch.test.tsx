import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { refuse } from '#web/testing/fake-api.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { WeekSwitch } from './week-switch.tsx';

const ROUTE = 'PATCH /api/user/caller-profile';
const box = () => screen.getByRole<HTMLInputElement>('switch', { name: 'Also sell 7 days' });

it('the switch of the 7 days saves each change at once', async () => {
  const { bodies } = renderScreen(<WeekSwitch sellsWeek />, { api: { [ROUTE]: {} } });
  expect(box().checked).toBe(true);
  fireEvent.click(box());
  await expect.poll(() => bodies(ROUTE)).toEqual([{ sellsWeek: false }]);
});

it('the switch of the 7 days says why a change was refused, and shows the old state', async () => {
  const message = 'The caller can raise the fee.';
  renderScreen(<WeekSwitch sellsWeek={false} />, {
    api: { [ROUTE]: () => refuse(422, 'payments.amount_under_rent', message) },
  });
  fireEvent.click(box());
  expect((await screen.findAllByText(message)).length).toBeGreaterThan(0);
  expect(box().checked).toBe(false);
});

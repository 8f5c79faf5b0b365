import { NOTIFICATION_LIFETIME_MS } from '#schema/constants.ts';
import type { DeliveryLogEntry } from '#schema/contracts/notifications.ts';

export const eventLabels: Readonly<Record<DeliveryLogEntry['kind'], string>> = {
  call_opened: 'New call',
  call_ended: 'Call ended',
  call_update: 'Update',
};

export interface DeliveryText {
  readonly delivered: string;
  readonly problems: readonly string[];
  readonly isSending: boolean;
}

export function readDelivery(
  { at, recipients, delivered, unreachable, failed }: DeliveryLogEntry,
  now: number,
): DeliveryText {
  const canStillArrive = now - Date.parse(at) < NOTIFICATION_LIFETIME_MS;
  const problems = [
    ...(unreachable > 0 ? [`${count(unreachable)} unreachable`] : []),
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
  ];
  if (recipients === 0) {
    return { delivered: canStillArrive ? 'No recipients yet' : 'No recipients', problems, isSending: false };
  }
  return {
    delivered: `Delivered to ${count(delivered)} of ${count(recipients)}`,
    problems,
    isSending: canStillArrive && delivered + unreachable + failed < recipients,
  };
}

const count = (number: number) => number.toLocaleString('en-US');

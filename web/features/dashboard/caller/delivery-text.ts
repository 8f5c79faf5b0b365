import { NOTIFICATION_LIFETIME_MS } from '#schema/constants.ts';
import type { DeliveryLogEntry } from '#schema/contracts/notifications.ts';

export const eventLabels: Readonly<Record<DeliveryLogEntry['kind'], string>> = {
  call_opened: 'New call',
  call_ended: 'Call ended',
  call_update: 'Update',
  level_hit: 'Target or stop hit',
};

export function readDelivery(entry: DeliveryLogEntry, now: number) {
  const { at, recipients, delivered, unreachable, failed } = entry;
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

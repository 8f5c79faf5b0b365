import { NOTIFICATION_LIFETIME_MS } from '#schema/constants.ts';
import type { DeliveryLogEntry } from '#schema/contracts/notifications.ts';

/** What was told, in words. */
export const eventWords: Readonly<Record<DeliveryLogEntry['kind'], string>> = {
  call_opened: 'New call',
  call_ended: 'Call ended',
  call_update: 'Update',
};

/** How telling of an event has gone until `now` (unix ms), in words. What is for the time being is said so. */
export function readDelivery(
  { at, recipients, delivered, unreachable, failed }: DeliveryLogEntry,
  now: number,
): { readonly told: string; readonly problems: readonly string[]; readonly isOnItsWay: boolean } {
  const isYoung = now - Date.parse(at) < NOTIFICATION_LIFETIME_MS;
  const problems = [
    ...(unreachable > 0 ? [`${count(unreachable)} unreachable`] : []),
    ...(failed > 0 ? [`${count(failed)} given up`] : []),
  ];
  if (recipients === 0) {
    return { told: isYoung ? 'Nobody to tell so far' : 'Nobody to tell', problems, isOnItsWay: false };
  }
  return {
    told: `Told ${count(delivered)} of ${count(recipients)}`,
    problems,
    isOnItsWay: isYoung && delivered + unreachable + failed < recipients,
  };
}

const count = (number: number) => number.toLocaleString('en-US');

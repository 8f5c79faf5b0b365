import { SECOND_MS, SESSIONS_ANCHOR } from '#schema/constants.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { EventOf, Outbox } from '../../../ports/outbox.ts';
import { withTimeout } from '../../../shared/with-timeout.ts';
import { passOnNotices } from './notice-queue.ts';
import { composeNewDeviceText } from './new-device-text.ts';
import type { NewDevicesRepository } from './new-devices.repository.ts';
import { describeError } from '../../../shared/describe-error.ts';

/** A sign-in waits this long for the sender. */
const NOTIFY_TIMEOUT_MS = 2 * SECOND_MS;

interface NewDevicesOptions {
  readonly repository: NewDevicesRepository;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly clock: Clock;
  readonly appOrigin: string;
}

export type NewDevicesService = ReturnType<typeof createNewDevicesService>;

/** Notices of sign-ins from a new device. */
export function createNewDevicesService({ repository, outbox, clock, appOrigin }: NewDevicesOptions) {
  const notifyAll = () => passOnNotices({ kind: 'new_device', queue: repository, outbox, clock });

  return {
    notifyAll,

    /**
     * Sends the notices at once, because a thief could disconnect the chat before the next cron run. Never
     * throws: the cron tries again.
     */
    async notifySoon(): Promise<void> {
      try {
        await withTimeout(notifyAll(), NOTIFY_TIMEOUT_MS);
      } catch (error) {
        console.warn(JSON.stringify({ event: 'new_device.delayed', error: describeError(error) }));
      }
    },

    /** Users can't switch this notice off. */
    async compose({ userId, seq }: EventOf<'new_device'>) {
      const device = await repository.find({ seq, userId });
      if (!device) return null;
      const text = composeNewDeviceText({
        ...device,
        sessionsUrl: `${appOrigin}/dashboard#${SESSIONS_ANCHOR}`,
      });
      return { text, switchKind: null, callerId: null };
    },
  };
}

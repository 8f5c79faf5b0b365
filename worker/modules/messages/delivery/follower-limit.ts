import { MINUTE_MS } from '#schema/constants/time.ts';
import type { Clock } from '../../../ports/clock.ts';

interface Recipient {
  readonly userId: string;
  readonly callerId: string | null;
}

/** Limits the messages about one caller's calls to one recipient. A restarted sender starts at 0. */
export function createFollowerLimit({ clock, perMinute }: { clock: Clock; perMinute: number }) {
  let sent: readonly { readonly key: string; readonly at: number }[] = [];
  const keyOf = ({ userId, callerId }: Recipient) => `${callerId} ${userId}`;

  return {
    heldUntil(recipient: Recipient): number | null {
      if (recipient.callerId === null) return null;
      const key = keyOf(recipient);
      const times = sent.filter((each) => each.key === key && each.at > clock.now() - MINUTE_MS);
      const first = times.at(-perMinute);
      return first === undefined ? null : first.at + MINUTE_MS;
    },

    note(recipient: Recipient): void {
      if (recipient.callerId === null) return;
      const at = clock.now();
      sent = [...sent.filter((each) => each.at > at - MINUTE_MS), { key: keyOf(recipient), at }];
    },

    giveBack(recipient: Recipient): void {
      const index = sent.findLastIndex((each) => each.key === keyOf(recipient));
      sent = sent.filter((_, each) => each !== index);
    },
  };
}

import { MINUTE_MS } from '#schema/constants/time.ts';
import type { Clock } from '../../../ports/clock.ts';

interface Recipient {
  readonly userId: string;
  /** The caller of the message's call; null for a notice, which has no limit. */
  readonly callerId: string | null;
}

/** Limits the messages about one caller's calls to one recipient. A restarted sender starts at 0. */
export function createFollowerLimit({ clock, perMinute }: { clock: Clock; perMinute: number }) {
  let sent: readonly { readonly key: string; readonly at: number }[] = [];
  const keyOf = ({ userId, callerId }: Recipient) => `${callerId} ${userId}`;

  return {
    /** Returns the time of the next allowed message, or null if one is allowed now. */
    heldUntil(recipient: Recipient): number | null {
      if (recipient.callerId === null) return null;
      const key = keyOf(recipient);
      const times = sent.filter((each) => each.key === key && each.at > clock.now() - MINUTE_MS);
      const first = times.at(-perMinute);
      return first === undefined ? null : first.at + MINUTE_MS;
    },

    /** Counts a message, and removes messages over a minute old from the count. */
    note(recipient: Recipient): void {
      if (recipient.callerId === null) return;
      const at = clock.now();
      sent = [...sent.filter((each) => each.at > at - MINUTE_MS), { key: keyOf(recipient), at }];
    },

    /** Uncounts the message of the last `note`, because Telegram didn't accept it. */
    giveBack(recipient: Recipient): void {
      const index = sent.findLastIndex((each) => each.key === keyOf(recipient));
      sent = sent.filter((_, each) => each !== index);
    },
  };
}

import { MINUTE_MS } from '#schema/constants/time.ts';
import type { Clock } from '../../../ports/clock.ts';

interface Recipient {
  readonly userId: string;
  readonly callerId: string | null;
}

/** Limits the messages about one caller's calls to one recipient. A restarted sender starts at 0. */
export function createFollowerLimit({ clock, perMinute }: { clock: Clock; perMinute: number }) {
  const held = new Set<string>();
  let sent: readonly { readonly key: string; readonly at: number }[] = [];
  const latest = (recipient: Recipient) =>
    sent.filter((each) => each.key === keyOf(recipient) && each.at > clock.now() - MINUTE_MS);
  const keyOf = ({ userId, callerId }: Recipient) => `${callerId} ${userId}`;

  return {
    heldUntil(recipient: Recipient): number | null {
      if (recipient.callerId === null) return null;
      const first = latest(recipient).at(-perMinute);
      if (first !== undefined) held.add(keyOf(recipient));
      return first === undefined ? null : first.at + MINUTE_MS;
    },

    /** The recipient has more messages than a minute may have, with the `waiting` ones. Asks about a message once. */
    isBurst: (recipient: Recipient, waiting: number): boolean =>
      held.delete(keyOf(recipient)) || latest(recipient).length + waiting > perMinute,

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

import { MAX_SILENT_DAYS } from '#schema/constants.ts';
import { composeMessage, describeTime, showPerson } from '../../../shared/plain-text.ts';

interface Silence {
  readonly caller: { readonly name: string; readonly handle: string };
  /** The caller's last activity, unix ms. */
  readonly since: number;
  /** The end of the recipient's paid time, unix ms. Null if the recipient is the caller. */
  readonly endsAt: number | null;
  readonly profileUrl: string;
}

const RULE = `by a day for each silent day, at most ${MAX_SILENT_DAYS}`;

/** Writes the message about a silence that begins, to a subscriber or to the caller. */
export function composeSilenceText({ caller, since, endsAt, profileUrl }: Silence): string {
  const head = (nameLength: number) =>
    endsAt === null
      ? `Since ${describeTime(since)}, you haven't opened, updated or ended a call.\n\n` +
        `Your paid subscriptions are extended ${RULE}.`
      : `Since ${describeTime(since)}, ${showPerson(caller, nameLength)} hasn't opened, updated or ended a call.\n\n` +
        `Your subscription is extended ${RULE}. It now runs until ${describeTime(endsAt)}.`;
  return composeMessage({ head, link: profileUrl });
}

import { describeTime } from '../../../shared/plain-text.ts';

interface NewDevice {
  /** One of our own labels, such as 'Chrome on Windows'. */
  readonly label: string;
  readonly at: number;
  readonly sessionsUrl: string;
}

/** Writes the message about a sign-in from a new device. It says what to do if it was somebody else. */
export function composeNewDeviceText({ label, at, sessionsUrl }: NewDevice): string {
  return [
    'A new device signed in to your account.',
    `Device: ${label}\nWhen: ${describeTime(at)}`,
    "If it wasn't you, change your password on X and log out of all other sessions there. " +
      'Then log that device out on your dashboard.',
    sessionsUrl,
  ].join('\n\n');
}

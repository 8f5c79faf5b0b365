import type { NOTIFICATION_KINDS } from '#schema/constants/messages.ts';

type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** The settings' switches. */
export const kindTexts: Record<NotificationKind, Readonly<{ label: string; description: string }>> = {
  call_opened: { label: 'New calls', description: 'As soon as a caller you follow makes a call.' },
  call_ended: {
    label: 'Ended calls',
    description: 'When a caller you follow or have on paper ends a call, with its result.',
  },
  call_update: { label: 'Call updates', description: 'Messages from callers about their active calls.' },
  level_hit: {
    label: 'Targets and stops',
    description: "When the price reaches an active call's target or stop.",
  },
  subscription_expiring: {
    label: 'Subscription ending soon',
    description: 'A week before it ends, and again a day before.',
  },
  subscription_expired: { label: 'Subscription ended', description: 'When it has ended and its calls stop.' },
  payment_received: { label: 'Payments you receive', description: 'When a payment to you is final.' },
  chat_only: {
    label: 'Each call once',
    description:
      "Calls, updates and ends in a caller's channel or group that you're in come only there. Off: in private, too.",
  },
};

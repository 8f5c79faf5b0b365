import { MAX_SEALED_SHOWS, type OPERATOR_ACTIONS } from '#schema/constants/running.ts';

type OperatorAction = (typeof OPERATOR_ACTIONS)[number];

export const ACTION_LABELS: Readonly<Record<OperatorAction, string>> = {
  verify: 'Verify',
  unverify: 'Remove verification',
  suspend: 'Suspend',
  unsuspend: 'End suspension',
  hide_caller: 'Hide caller',
  show_caller: 'Show caller',
  hide_text: 'Hide text',
  show_text: 'Show text',
  resolve_orphan: 'Resolve',
  release_payment: 'Release',
  resend_event: 'Send again',
  dismiss_event: 'Dismiss',
  end_access: 'End all access',
  resolve_reports: 'Resolve reports',
  pause: 'Pause',
  resume: 'Resume',
  add_note: 'Add note',
  remove_note: 'Remove note',
  delete_account: 'Delete account',
  keep_account: 'Keep account',
};

/** Said when an action is done. */
export const ACTION_RESULTS: Readonly<Record<OperatorAction, string>> = {
  verify: 'Verified.',
  unverify: 'Verification removed.',
  suspend: 'Suspended.',
  unsuspend: 'Suspension ended.',
  hide_caller: 'Hidden.',
  show_caller: 'Shown.',
  hide_text: 'Hidden.',
  show_text: 'Shown.',
  resolve_orphan: 'Resolved.',
  release_payment: 'Released.',
  resend_event: 'Sent again.',
  dismiss_event: 'Dismissed.',
  end_access: 'Ended.',
  resolve_reports: 'Resolved.',
  pause: 'Paused.',
  resume: 'Resumed.',
  add_note: 'Noted.',
  remove_note: 'Note removed.',
  delete_account: 'Deletion started.',
  keep_account: 'Kept.',
};

export const ACTION_EFFECTS: Readonly<Partial<Record<OperatorAction, string>>> = {
  suspend:
    'The caller disappears from lists and can make no calls. Nobody can subscribe or renew. Running subscriptions continue.',
  hide_caller:
    'Like a suspension. In addition, only the caller and paying subscribers find the page and the calls.',
  hide_text: 'Everybody sees “Hidden by SolCallers” instead of the text.',
  show_text: `Everybody can read the text again. Texts of an active call can be shown again ${MAX_SEALED_SHOWS} times.`,
  resolve_orphan: 'Pay the money back first, or arrange a subscription. The reason says what you did.',
  release_payment:
    'The person can pay this caller again. If the payment can be read later, it counts as well.',
  resend_event: 'Only messages that did not arrive are sent again.',
  dismiss_event: 'The messages are not sent again.',
  pause:
    'A banner on every page shows the reason. Payments that are open still count, running periods go on, and active calls can be ended.',
  end_access:
    'Ends all sessions, API keys, the webhook, Telegram, the permission to post on X, and groups and channels that were connected within a week. The person can sign in again. Paid subscriptions stay.',
  delete_account:
    'As if the person had asked for it. The record of ended calls (under “Deleted caller”), payments and the audit stay.',
  keep_account: 'Takes the request for deletion back. What is erased already stays erased.',
  add_note: 'The reason is the note. The call’s page and the API show it.',
};

export const PUBLIC_REASONS: ReadonlySet<OperatorAction> = new Set<OperatorAction>(['pause', 'add_note']);

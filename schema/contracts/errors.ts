import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { CALL_ATTEMPTS, MAX_CALLS_PER_DAY, MAX_CALLS_PER_HOUR } from '#schema/constants/market.ts';
import {
  MAX_MUTED_CALLERS,
  MAX_UPDATES_PER_CALL,
  MAX_UPDATES_PER_WINDOW,
  UPDATES_WINDOW_MS,
} from '#schema/constants/messages.ts';
import { MAX_AHEAD_MS, MAX_FREE_FOLLOWS, MAX_UNUSED_INTENTS, MAX_WALLETS } from '#schema/constants/money.ts';
import { MAX_API_KEYS, MAX_PAPER_FOLLOWS, REPORTS_PER_DAY } from '#schema/constants/people.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';

/**
 * The codes of errors by their status, with the message for the user. `{wait}` stands for how long to wait. Where a message has
 * other values, it is null here, and is given where the error is thrown.
 */
const errors = {
  202: {
    'payments.pending': 'The transaction is not on the chain yet. Try again in a moment.',
  },
  400: {
    'request.invalid': null,
    'auth.attempt_invalid': 'This sign-in has expired or was already used. Please sign in again.',
    'api_keys.with_cookie': 'Send either an API key or a session cookie, not both.',
  },
  401: {
    'auth.required': 'Unauthorized: please sign in.',
    'api_keys.invalid':
      'This API key is unknown or was revoked. Create one in your settings and send it as “Authorization: Bearer sc_…”.',
    'telegram.secret_invalid': 'Only Telegram may post here.',
  },
  403: {
    'request.cross_site': `This request came from another site and was refused. Open ${PRODUCT_NAME} and try again there.`,
    'auth.fresh_sign_in_needed': null,
    'auth.refused_by_x': null,
    'api_keys.not_allowed':
      'API keys can’t do this. Sign in on the site instead. /api/docs lists what keys can do.',
    'api_keys.read_only': 'This API key can only read. In your settings, create a key that may make calls.',
    'users.not_a_caller': 'Only callers can do this. Become a caller first.',
    'users.suspended': `${PRODUCT_NAME} has suspended your page, so you can't make calls. You can still update and end your active calls.`,
    'calls.not_yours':
      'You can only make, update and end your own calls. Sign in with the account that made this one.',
    'calls.not_entitled': "Subscribe to see this caller's active calls.",
    'shares.consent_needed': `Allow ${PRODUCT_NAME} to post on X for you first.`,
    'shares.consent_incomplete': `X didn't allow ${PRODUCT_NAME} to post images for you. Nothing was saved; please try again.`,
    'shares.other_account': null,
  },
  404: {
    'request.not_found': "This address doesn't exist. Check it and try again.",
    'ways.not_found': 'This was already ended. Reload the page to see the others.',
    'users.not_found': "This account doesn't exist. Please sign in again.",
    'callers.not_found': "The caller you're looking for doesn't exist or may have changed their username.",
    'images.not_found': "This image doesn't exist, or it can't be loaded now.",
    'operators.subject_not_found':
      "There is no such thing. Nothing was changed. Check the id, and whether it's of the right kind.",
    'reports.not_found': "What you want to report doesn't exist. Reload the page and try again.",
    'webhooks.not_found': 'You have no webhook. Save its address first.',
    'wallets.not_found': 'This wallet is not saved to your account. Reload the page to see your wallets.',
    'tokens.not_found': 'Token not found',
    'calls.not_found': "This call doesn't exist. Check the link or open the caller's profile.",
    'subscriptions.not_found': "You don't follow this caller.",
    'payments.not_found':
      'You have no payment with this signature. You may be signed in to a different account.',
    'telegram.chat_not_found': 'This channel or group is not connected anymore.',
  },
  409: {
    'auth.deletion_running':
      'We are still erasing the texts of your deleted account. Sign in again in a few minutes.',
    'users.already_caller': 'You are already a caller. Reload the page.',
    'account.open_calls': null,
    'account.deletion_requested':
      "You have asked to delete your account, so you can't add calls, API keys or webhooks. Take the request back in your settings first.",
    'account.deletion_due': 'Your account is being deleted now. It is too late to take the request back.',
    'terms.not_accepted':
      'Accept the terms, the privacy notice and the risks first. Nothing was changed or charged.',
    'terms.outdated': 'These documents have changed. Reload the page to read and accept the current ones.',
    'operators.subject_deleted':
      'This account was deleted, so its badge and its suspension stay as they are. Nothing was changed.',
    'push.address_taken': null,
    'wallets.already_added': 'This wallet is already saved to your account.',
    'wallets.payout_changed':
      'Your payout wallet was just changed in another tab or on another device. Check it, then try again.',
    'prices.disagree': null,
    'calls.already_called': null,
    'calls.already_ended': 'This call has already ended. Reload the page to see its result.',
    'calls.price_moved': null,
    'calls.gain_not_counted': null,
    'subscriptions.paid_time_left':
      'You paid for this subscription, so it runs until its end. There is no automatic renewal.',
    'payments.intent_expired':
      'This payment expired after ten minutes. Nothing was sent; open the subscribe dialog again.',
    'payments.intent_paid':
      'You already made this payment, so nothing was sent again. Open the subscribe dialog again to pay for more time.',
    'payments.unreadable': "Your payment has landed, but we can't read it yet. Don't pay again.",
    'payments.released':
      "We couldn't read this payment, so we no longer wait for it. It counts if we can read it later. You can pay again.",
    'payments.refund_unreadable':
      "A transfer for this refund has landed, but we can't read it yet. Don't send it again.",
    'payments.already_sent':
      'Your earlier payment to this caller is still in progress. Nothing more was sent or charged. ' +
      'Check again in a few minutes.',
    'payments.expired':
      'The transaction expired before it reached the chain. Nothing was paid. You can pay again.',
    'payments.blockhash_expired':
      'Failed to send transaction: it took too long to sign. Nothing was paid; press Pay again.',
    'payments.not_yours': "This transaction paid for somebody else's subscription.",
    'payments.not_final': "This payment isn't final yet. Try again in a minute.",
    'payments.refunded': 'This payment was refunded.',
    'payments.refund_pending':
      'A transfer for this refund may be on its way, so nothing more was sent. Check the receipt in two minutes before ' +
      'you try again.',
    'payments.refund_opened': 'The caller has opened this refund since you asked, so you can’t take it back.',
    'telegram.not_connected': 'Connect Telegram first: open the bot from your settings and press Start.',
    'updates.call_full': `A call can have at most ${MAX_UPDATES_PER_CALL} updates, and this call has as many. It was not sent.`,
    'shares.image_changed': 'The image has changed. Refresh the preview and post again. Your text is kept.',
  },
  413: {
    'request.too_large': null,
  },
  422: {
    'api_keys.too_many': `You have ${MAX_API_KEYS} API keys. Revoke one that you no longer use first.`,
    'users.fee_invalid': null,
    'users.fee_below_minimum': null,
    'users.payout_wallet_unproven':
      'Only a verified wallet can receive payouts. Connect this wallet and sign the message first.',
    'account.handle_mismatch':
      "This isn't your handle. Nothing was deleted. Type the handle that the dialog shows.",
    'reports.own': "You can't report your own page, calls and updates.",
    'push.service_unknown': null,
    'webhooks.address_refused':
      'This address can’t get webhooks. Use a public https address on the default port, without a password in it.',
    'wallets.too_many': `You have saved ${MAX_WALLETS} wallets, which is the most. Remove one and try again.`,
    'wallets.challenge_invalid': 'The message to sign has expired or was used. Connect the wallet again.',
    'wallets.signature_invalid':
      'The signature does not match this wallet. Connect the wallet again and sign the message.',
    'prices.missing':
      'Failed to create token call - no price source knows this token. Check its address, or try again later.',
    'calls.target_invalid': null,
    'calls.stop_invalid': null,
    'subscriptions.self': 'You cannot subscribe to yourself.',
    'subscriptions.not_free': 'This caller charges a monthly fee. Subscribe by paying it from your wallet.',
    'subscriptions.too_many': `You can follow at most ${MAX_FREE_FOLLOWS} callers for free. Unfollow one first.`,
    'subscriptions.caller_is_free': 'This caller is free. Subscribe without paying.',
    'subscriptions.caller_suspended':
      'Nobody can subscribe to this caller or renew: the caller is suspended or has deleted the account. ' +
      'Running subscriptions continue.',
    'subscriptions.caller_leaving':
      'This caller is deleting the account and takes no new subscriptions. Nothing was charged.',
    'payments.payout_wallet_missing':
      "This caller hasn't connected a payout wallet yet. Nothing was charged. Try again later.",
    'payments.payout_is_platform':
      "The platform's own wallet cannot be a payout wallet. Choose another wallet.",
    'payments.amount_under_rent': null,
    'payments.length_not_offered': null,
    'payments.too_far_ahead':
      `You can pay for at most ${MAX_AHEAD_MS / DAY_MS} days ahead, including your other open payments to this caller. ` +
      'Nothing was charged. Pay again when less of your paid time is left.',
    'payments.intent_missing':
      "This transaction doesn't belong to a payment you started. Open the subscribe dialog again.",
    'payments.transaction_invalid':
      'This Solana transaction is not fully signed. Open the subscribe dialog and sign again.',
    'payments.version_unsupported': "This kind of transaction isn't supported yet. Nothing was sent.",
    'payments.durable_nonce':
      'This transaction uses a durable nonce, so it would never expire. Nothing was sent. Turn durable nonces ' +
      'off in your wallet or use another wallet.',
    'payments.insufficient_funds':
      'Failed to send transaction: the wallet has too little SOL for this payment and the network fee. ' +
      'Nothing was paid. Add SOL or use another wallet.',
    'payments.rejected_by_chain': null,
    'payments.failed_on_chain': 'Transaction failed on blockchain',
    'payments.missing_reference': "This transaction doesn't contain your payment's reference.",
    'payments.wrong_recipient': 'This transaction does not pay the caller and the platform.',
    'payments.wrong_amount': 'This transaction does not pay the exact price of this subscription.',
    'payments.payer_did_not_sign': 'The paying wallet did not sign this transaction.',
    'payments.money_flowed_back':
      "This transaction also moved the money back out of the recipients' wallets.",
    'payments.outside_time_window':
      'This transaction was not made within the ten minutes after the payment was opened.',
    'payments.amount_mismatch':
      "The submitted amounts don't match this payment. Open the subscribe dialog again.",
    'payments.not_the_refund':
      'This transaction is not exactly the refund that you opened. Nothing was sent. Open the refund again.',
    'payments.not_your_wallet':
      'Only the wallet that was paid, or a wallet that you have verified here, can pay this back. Nothing was sent.',
    'telegram.handle_invalid': null,
    'notifications.mute_self': 'You never get messages about your own calls, so you cannot mute yourself.',
    'notifications.too_many_mutes': `You can mute at most ${MAX_MUTED_CALLERS} callers. Unmute one first.`,
    'paper_follows.too_many': `You can have at most ${MAX_PAPER_FOLLOWS} callers on paper. Remove one in your portfolio first.`,
    'updates.message_invalid': null,
    'shares.text_empty': 'Your tweet needs some text content',
    'shares.text_too_long': null,
    'shares.rejected_by_x': null,
  },
  429: {
    'auth.x_rate_limited': 'X accepts no more sign-ins for now. Please try again in {wait}.',
    'request.too_many': 'Too many requests at once. Nothing was changed. Wait a minute and try again.',
    'account.too_many_exports': 'You have exported your data too often. Try again in a few minutes.',
    'reports.too_many': `You can send at most ${REPORTS_PER_DAY} reports a day. Nothing was sent. Try again later.`,
    'tokens.too_many_lookups': 'You look up new tokens too fast. Wait a minute, or sign in.',
    'tokens.too_many_searches':
      'You search for tokens too fast. Try again in {wait}, or paste the token’s address.',
    'calls.too_many': `You can make at most ${MAX_CALLS_PER_HOUR} calls an hour and ${MAX_CALLS_PER_DAY} calls a day. Nothing was recorded. Make the next call in {wait}.`,
    'calls.too_many_attempts': `You can try to make or end a call ${CALL_ATTEMPTS.burst} times in a row, then once every ${CALL_ATTEMPTS.everyMs / SECOND_MS} seconds. Nothing was recorded. Try again in {wait}.`,
    'payments.too_many_unused': `You started ${MAX_UNUSED_INTENTS} payments within an hour without paying. Nothing was charged. Try again in {wait}.`,
    'updates.too_many': `You can send at most ${MAX_UPDATES_PER_WINDOW} updates in ${UPDATES_WINDOW_MS / MINUTE_MS} minutes. This one was not sent. Send it again in a few minutes.`,
    'shares.rate_limited':
      'Failed to post tweet: X accepts no more posts for now. Nothing was posted; please try again in {wait}.',
  },
  500: {
    'server.failed': null,
  },
  502: {
    'auth.provider_unavailable': 'X does not respond at the moment. Please try again in a minute.',
    'prices.unavailable': 'Failed to lookup token',
    'prices.stale': null,
    'prices.undated': null,
    'prices.unit_unknown': null,
    'chain.unavailable':
      'The Solana network does not respond at the moment. Nothing was changed; please try again in a minute.',
    'shares.unconfirmed':
      'Failed to post tweet: X did not confirm it. Check your profile on X before you try again.',
    'shares.x_unavailable':
      'Failed to post tweet: X does not respond at the moment. Please try again in a minute.',
  },
  503: {
    'auth.broken': 'Our sign-in is broken. We know and are working on it.',
    'prices.busy': null,
    'calls.paused': null,
    'payments.paused': null,
    'chain.wrong_cluster':
      'Payments are paused until we have fixed our connection to Solana. You were not charged, and a payment that you ' +
      'sent before is not lost. Please try again later.',
    'shares.paused': null,
  },
} as const satisfies Record<number, Record<string, string | null>>;

type Errors = typeof errors;
type Status = keyof Errors;
export type ErrorCode = { [Each in Status]: keyof Errors[Each] }[Status];
/** The codes whose messages have this type. */
export type CodeWith<Message> = {
  [Each in Status]: {
    [Code in keyof Errors[Each]]: Errors[Each][Code] extends Message ? Code : never;
  }[keyof Errors[Each]];
}[Status];

export const errorMessages: Readonly<Record<ErrorCode, string | null>> = Object.assign(
  {},
  ...Object.values(errors),
);

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The keys of the table are its codes and statuses.
export const errorStatuses = Object.fromEntries(
  Object.entries(errors).flatMap(([status, messages]) =>
    Object.keys(messages).map((code) => [code, Number(status)]),
  ),
) as Readonly<Record<ErrorCode, Status>>;

/** Their errors pass: a limit, our own failure, or that of a price source, X or Solana. */
const PASSING_STATUSES: readonly Status[] = [429, 500, 502, 503];
const ALSO_PASSING: readonly ErrorCode[] = [
  'auth.deletion_running',
  'payments.not_final',
  'payments.pending',
  'prices.disagree',
  'prices.missing',
];
/** A repeated request could post twice. */
const NEVER_REPEATED: ErrorCode = 'shares.unconfirmed';

/** True if the same request may succeed later. Its response has `retryable: true` and `Retry-After`. */
export const isRetryable = (code: ErrorCode): boolean =>
  ALSO_PASSING.includes(code) || (PASSING_STATUSES.includes(errorStatuses[code]) && code !== NEVER_REPEATED);

const NOBODYS_FAULT: readonly ErrorCode[] = [
  'calls.paused',
  'payments.paused',
  'shares.paused',
  'prices.busy',
  'prices.stale',
  'prices.undated',
  'prices.unit_unknown',
];

/** True if a third party or our storage failed. Pauses and a single token's price aren't failures. */
export const isOurFault = (code: ErrorCode): boolean =>
  errorStatuses[code] >= 500 && !NOBODYS_FAULT.includes(code);

/** `message` and `error.message` are the same sentence, written for the user. */
export interface ErrorBody {
  readonly message: string;
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly retryable?: true;
  } & Readonly<Record<string, unknown>>;
}

import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { MAX_MUTED_CALLERS, MAX_UPDATES_PER_CALL } from '#schema/constants/messages.ts';
import { MAX_FREE_FOLLOWS, MAX_REFUNDS, MAX_WALLETS } from '#schema/constants/money.ts';
import { MAX_API_KEYS, MAX_PAPER_FOLLOWS } from '#schema/constants/people.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';

/** The default messages for users. Other codes get their message where they are thrown. */
export const errorMessages = {
  'request.not_found': "This address doesn't exist. Check it and try again.",
  'request.cross_site': `This request came from another site and was refused. Open ${PRODUCT_NAME} and try again there.`,
  'auth.required': 'Unauthorized: please sign in.',
  'auth.attempt_invalid': 'This sign-in has expired or was already used. Please sign in again.',
  'auth.deletion_running':
    'We are still erasing the texts of your deleted account. Sign in again in a few minutes.',
  'sessions.not_found': 'This session has already ended. Reload the page to see your sessions.',
  'api_keys.invalid':
    'This API key is unknown or was revoked. Create one on your dashboard and send it as “Authorization: Bearer sc_…”.',
  'api_keys.with_cookie': 'Send either an API key or a session cookie, not both.',
  'api_keys.not_allowed':
    'API keys can’t do this. Sign in on the site instead. /api/docs lists what keys can do.',
  'api_keys.read_only': 'This API key can only read. Create a key that may make calls on your dashboard.',
  'api_keys.not_found': 'This API key was already revoked. Reload the page to see your keys.',
  'api_keys.too_many': `You have ${MAX_API_KEYS} API keys. Revoke one that you no longer use first.`,
  'users.not_found': "This account doesn't exist. Please sign in again.",
  'users.already_caller': 'You are already a caller. Reload the page.',
  'users.not_a_caller': 'Only callers can do this. Become a caller first.',
  'users.suspended': `${PRODUCT_NAME} has suspended your page, so you can't make calls. You can still update and end your active calls.`,
  'users.payout_wallet_unproven':
    'Only a verified wallet can receive payouts. Connect this wallet and sign the message first.',
  'account.handle_mismatch':
    "This isn't your handle. Nothing was deleted. Type the handle that the dialog shows.",
  'account.deletion_requested':
    "You have asked to delete your account, so you can't add calls, API keys or webhooks. Take the request back on your dashboard first.",
  'account.deletion_due': 'Your account is being deleted now. It is too late to take the request back.',
  'terms.not_accepted':
    'Accept the terms, the privacy notice and the risks first. Nothing was changed or charged.',
  'terms.outdated': 'These documents have changed. Reload the page to read and accept the current ones.',
  'tokens.not_found': 'Token not found',
  'callers.not_found': "The caller you're looking for doesn't exist or may have changed their username.",
  'images.not_found': "This image doesn't exist, or it can't be loaded now.",
  'operators.subject_not_found':
    "There is no such thing. Nothing was changed. Check the id, and whether it's of the right kind.",
  'operators.subject_deleted':
    'This account was deleted, so its badge and its suspension stay as they are. Nothing was changed.',
  'reports.not_found': "What you want to report doesn't exist. Reload the page and try again.",
  'reports.own': "You can't report your own page, calls and updates.",
  'webhooks.address_refused':
    'This address can’t get webhooks. Use a public https address on the default port, without a password in it.',
  'webhooks.not_found': 'You have no webhook. Save its address first.',
  'wallets.already_added': 'This wallet is already saved to your account.',
  'wallets.too_many': `You have saved ${MAX_WALLETS} wallets, which is the most. Remove one and try again.`,
  'wallets.challenge_invalid': 'The message to sign has expired or was used. Connect the wallet again.',
  'wallets.signature_invalid':
    'The signature does not match this wallet. Connect the wallet again and sign the message.',
  'wallets.not_found': 'This wallet is not saved to your account. Reload the page to see your wallets.',
  'wallets.payout_changed':
    'Your payout wallet was just changed in another tab or on another device. Check it, then try again.',
  'calls.not_found': "This call doesn't exist. Check the link or open the caller's profile.",
  'calls.not_yours':
    'You can only make, update and end your own calls. Sign in with the account that made this one.',
  'calls.not_entitled': "Subscribe to see this caller's active calls.",
  'calls.already_ended': 'This call has already ended. Reload the page to see its result.',
  'subscriptions.self': 'You cannot subscribe to yourself.',
  'subscriptions.not_free': 'This caller charges a monthly fee. Subscribe by paying it from your wallet.',
  'subscriptions.too_many': `You can follow at most ${MAX_FREE_FOLLOWS} callers for free. Unfollow one first.`,
  'subscriptions.caller_is_free': 'This caller is free. Subscribe without paying.',
  'subscriptions.caller_leaving':
    'This caller is deleting the account and takes no new subscriptions. Nothing was charged.',
  'subscriptions.caller_suspended':
    'Nobody can subscribe to this caller or renew: the caller is suspended or has deleted the account. ' +
    'Running subscriptions continue.',
  'subscriptions.not_found': "You don't follow this caller.",
  'subscriptions.paid_time_left':
    'You paid for this subscription, so it runs until its end. There is no automatic renewal.',
  'payments.payout_wallet_missing':
    "This caller hasn't connected a payout wallet yet. Nothing was charged. Try again later.",
  'payments.payout_is_platform':
    "The platform's own wallet cannot be a payout wallet. Choose another wallet.",
  'payments.intent_missing':
    "This transaction doesn't belong to a payment you started. Open the subscribe dialog again.",
  'payments.intent_expired':
    'This payment expired after ten minutes. Nothing was sent; open the subscribe dialog again.',
  'payments.intent_paid':
    'You already made this payment, so nothing was sent again. Open the subscribe dialog again to pay for more time.',
  'payments.transaction_invalid':
    'This Solana transaction is not fully signed. Open the subscribe dialog and sign again.',
  'payments.version_unsupported': "This kind of transaction isn't supported yet. Nothing was sent.",
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
  'payments.durable_nonce':
    'This transaction uses a durable nonce, so it would never expire. Nothing was sent. Turn durable nonces ' +
    'off in your wallet or use another wallet.',
  'payments.failed_on_chain': 'Transaction failed on blockchain',
  'payments.missing_reference': "This transaction doesn't contain your payment's reference.",
  'payments.wrong_recipient': 'This transaction does not pay the caller and the platform.',
  'payments.wrong_amount': 'This transaction does not pay the exact price of this subscription.',
  'payments.payer_did_not_sign': 'The paying wallet did not sign this transaction.',
  'payments.money_flowed_back': "This transaction also moved the money back out of the recipients' wallets.",
  'payments.outside_time_window':
    'This transaction was not made within the ten minutes after the payment was opened.',
  'payments.amount_mismatch':
    "The submitted amounts don't match this payment. Open the subscribe dialog again.",
  'payments.not_yours': "This transaction paid for somebody else's subscription.",
  'payments.not_found':
    'You have no payment with this signature. You may be signed in to a different account.',
  'payments.not_final': "This payment isn't final yet. Try again in a minute.",
  'payments.refunded': 'This payment was refunded.',
  'payments.refund_pending':
    'A transfer for this refund may be on its way, so nothing more was sent. Check the receipt in two minutes before ' +
    'you try again.',
  'payments.too_many_refunds': `A payment can have at most ${MAX_REFUNDS} refunds, and this one has as many.`,
  'payments.not_the_refund':
    'This transaction is not exactly the refund that you opened. Nothing was sent. Open the refund again.',
  'payments.pending': 'The transaction is not on the chain yet. Try again in a moment.',
  'telegram.not_connected': 'Connect Telegram first: open the bot from your dashboard and press Start.',
  'telegram.secret_invalid': 'Only Telegram may post here.',
  'telegram.chat_not_found': 'This channel or group is not connected anymore.',
  'notifications.mute_self': 'You never get messages about your own calls, so you cannot mute yourself.',
  'notifications.too_many_mutes': `You can mute at most ${MAX_MUTED_CALLERS} callers. Unmute one first.`,
  'paper_follows.too_many': `You can follow at most ${MAX_PAPER_FOLLOWS} callers on paper. Remove one in your portfolio first.`,
  'updates.call_full': `A call can have at most ${MAX_UPDATES_PER_CALL} updates, and this call has as many. It was not sent.`,
  'shares.consent_incomplete': `X didn't allow ${PRODUCT_NAME} to post images for you. Nothing was saved; please try again.`,
  'shares.unconfirmed':
    'Failed to post tweet: X did not confirm it. Check your profile on X before you try again.',
} as const satisfies Partial<Record<ErrorCode, string>>;

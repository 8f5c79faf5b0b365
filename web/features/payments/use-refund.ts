import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Receipt } from '#schema/contracts/payments.ts';
import { parseSol } from '#schema/rules/money/lamports.ts';
import { ApiError, ConnectionError, isConnectionFailure, reasonOf } from '#web/api/api-error.ts';
import { openRefund, sendRefund } from '#web/api/payments.queries.ts';
import { refetchAlways } from '#web/api/refetch.ts';
import { toBase64 } from '#web/lib/browser/base64.ts';
import { formatTime } from '#web/lib/text/dates.ts';
import { useWallet } from '#web/lib/wallets/use-wallet.ts';
import { didWalletSendNothing, readRefusal } from '#web/lib/wallets/wallet-errors.ts';

/** Pays an amount of a payment back from the connected wallet. `problem`: why nothing was sent. */
export function useRefund(payment: Pick<Receipt, 'signature' | 'payerAddress' | 'left'>, onSent: () => void) {
  const { address, signTransaction, signAndSendTransaction, sendsItself } = useWallet();
  const hasOpened = useRef(false);

  /** @returns why nothing was sent, or null */
  const pay = async (amount: string): Promise<string | null> => {
    const { signature } = payment;
    const from = address ?? '';
    const opened = await openRefund({ signature, fromAddress: from, sendsItself });
    const { refund, openedBefore } = opened;
    if (refund.toAddress !== payment.payerAddress) throw new Error('The refund differs from the receipt.');
    const isOther = openedBefore !== null && !hasOpened.current;
    hasOpened.current = true;
    if (BigInt(refund.lamports) !== parseSol(payment.left)) return CHANGED;
    // A wallet that sends by itself is the only one that the server lets send now.
    if (isOther && !sendsItself) {
      return `This refund was opened at ${formatTime(openedBefore)}. ${OTHER_PAGE}`;
    }
    // Loaded lazily, because it loads web3.js.
    const build = await import('#web/lib/wallets/build-transaction.ts');
    const { blockhash, computeBudget } = opened;
    const unsigned = build.buildTransaction({ payer: from, blockhash, computeBudget }, [
      build.transferWithReference({
        ...refund,
        from,
        to: refund.toAddress,
        lamports: parseSol(amount) ?? 0n,
      }),
    ]);
    if (sendsItself) await signAndSendTransaction(unsigned).catch(rethrowIfUnsent);
    else {
      const transaction = toBase64(await signTransaction(unsigned));
      await sendRefund({ signature, transaction }).catch(rethrowIfAnswered);
    }
    return null;
  };

  const { mutate, isPending, data, error } = useMutation({
    mutationFn: pay,
    onSuccess: (problem) => problem === null && onSent(),
    onSettled: refetchAlways(['payments']),
  });
  return { start: mutate, isPending, problem: error === null ? (data ?? null) : reasonFor(error) };
}

function rethrowIfUnsent(error: unknown): void {
  if (didWalletSendNothing(error)) throw error;
}

function rethrowIfAnswered(error: unknown): void {
  if (!isConnectionFailure(error)) throw error;
}

function reasonFor(error: unknown): string {
  const isFromWallet = !(error instanceof ApiError || error instanceof ConnectionError);
  switch (isFromWallet && readRefusal(error)) {
    case 'declined':
      return 'You declined the refund in your wallet. Nothing was sent.';
    case 'busy':
      return 'Your wallet is showing another request. Finish or close it, then try again. Nothing was sent.';
    default:
      return reasonOf(error, "The refund wasn't sent. Check your wallet before you try again.");
  }
}

const CHANGED =
  'The request or the amount has changed meanwhile. Nothing was sent. Check both, then try again.';
const OTHER_PAGE =
  'If another page or your wallet still asks you to sign it, finish there. To pay here instead, press the button again.';

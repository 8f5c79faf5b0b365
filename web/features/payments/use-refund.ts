import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Receipt } from '#schema/contracts/payments.ts';
import { parseSol } from '#schema/rules/money/lamports.ts';
import { ApiError, ConnectionError, hasCode, isConnectionFailure, reasonOf } from '#web/api/api-error.ts';
import { openRefund, searchRefund, sendRefund } from '#web/api/payments.queries.ts';
import { toBase64 } from '#web/lib/browser/base64.ts';
import { formatTime } from '#web/lib/text/dates.ts';
import { useWallet } from '#web/lib/wallets/use-wallet.ts';
import { didWalletSendNothing, readRefusal } from '#web/lib/wallets/wallet-errors.ts';

const SEARCH_PAUSE_MS = 5_000;
/** Two minutes of searches. A transfer is final within seconds, so after this time it was probably never sent. */
const SEARCHES = 24;

/** `waiting`: the wallet may have sent the transfer. `unfound`: it isn't on the chain after two minutes. */
export type RefundStep = 'ready' | 'signing' | 'waiting' | 'unfound' | 'done';

export interface RefundState {
  readonly step: RefundStep;
  readonly problem: string | null;
}

type RefundedPayment = Pick<Receipt, 'signature' | 'payerAddress' | 'left' | 'paidBack'>;

export function useRefund(payment: RefundedPayment) {
  const { address, signTransaction, signAndSendTransaction, sendsItself } = useWallet();
  const queryClient = useQueryClient();
  const [state, setState] = useState<RefundState>({ step: 'ready', problem: null });
  /** What was paid back when this dialog opened the refund. */
  const paidBefore = useRef<string | null>(null);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  const refetchPayment = () =>
    Promise.all([['payments'], ['callers']].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  const finish = async () => {
    setState({ step: 'done', problem: null });
    await refetchPayment();
  };

  const wait = async () => {
    setState({ step: 'waiting', problem: null });
    for (let search = 0; search < SEARCHES && !isGone.current; search += 1) {
      try {
        const { paidBack } = await searchRefund(payment.signature);
        if (paidBack !== paidBefore.current) return await finish();
      } catch (error) {
        return setState({ step: 'unfound', problem: reasonOf(error, NOT_SEARCHED) });
      }
      await new Promise((resolve) => setTimeout(resolve, SEARCH_PAUSE_MS));
    }
    return setState({ step: 'unfound', problem: NOT_FOUND });
  };

  /** @returns why nothing was sent, or null */
  const pay = async (fromAddress: string, amount: string): Promise<string | null> => {
    const opened = await openRefund({ signature: payment.signature, fromAddress, sendsItself });
    const { refund, openedBefore } = opened;
    if (refund.toAddress !== payment.payerAddress) throw new Error('The refund differs from the receipt.');
    const isOther = openedBefore !== null && paidBefore.current === null;
    paidBefore.current = payment.paidBack;
    if (BigInt(refund.lamports) !== parseSol(payment.left)) {
      await refetchPayment();
      return CHANGED;
    }
    // A wallet that sends by itself is the only one that the server lets send now.
    if (isOther && !sendsItself) {
      return `This refund was opened at ${formatTime(openedBefore)}. ${OTHER_PAGE}`;
    }
    const { buildRefund } = await import('./build-refund.ts');
    const unsigned = buildRefund(opened, fromAddress, amount);
    if (sendsItself) {
      await signAndSendTransaction(unsigned).catch(rethrowIfUnsent);
      return null;
    }
    const signed = toBase64(await signTransaction(unsigned));
    await sendRefund(payment.signature, signed).catch(rethrowIfAnswered);
    return null;
  };

  return {
    state,
    wait,
    async start(amount: string) {
      if (address === null) return;
      setState({ step: 'signing', problem: null });
      try {
        const problem = await pay(address, amount);
        if (problem !== null) return setState({ step: 'ready', problem });
      } catch (error) {
        if (hasCode(error, 'payments.refunded')) return finish();
        return setState({ step: 'ready', problem: reasonFor(error) });
      }
      return wait();
    },
  };
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

const NOT_FOUND =
  "The refund isn't final on Solana yet. Check your wallet before you send another one. We look for it for a day.";
const CHANGED =
  'The request or the amount has changed meanwhile. Nothing was sent. Check both, then try again.';
const OTHER_PAGE =
  'If another page or your wallet still asks you to sign it, finish there. To pay here instead, press the button again.';
const NOT_SEARCHED = "Couldn't look for the refund. Try again.";

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Receipt } from '#schema/contracts/payments.ts';
import { parseSol } from '#schema/rules/money/lamports.ts';
import { ApiError, ConnectionError, hasCode, isConnectionFailure, reasonOf } from '#web/api/api-error.ts';
import { openRefund, searchRefund, sendRefund } from '#web/api/payments.queries.ts';
import { toBase64 } from '#web/lib/browser/base64.ts';
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

type RefundedPayment = Pick<Receipt, 'signature' | 'callerAddress' | 'callerAmount' | 'payerAddress'>;

export function useRefund(payment: RefundedPayment) {
  const { signTransaction, signAndSendTransaction, sendsItself } = useWallet();
  const queryClient = useQueryClient();
  const [state, setState] = useState<RefundState>({ step: 'ready', problem: null });
  const reference = useRef<string | null>(null);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  const finish = async () => {
    setState({ step: 'done', problem: null });
    await Promise.all(
      [['payments'], ['callers']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    );
  };

  const wait = async () => {
    setState({ step: 'waiting', problem: null });
    for (let search = 0; search < SEARCHES && !isGone.current; search += 1) {
      try {
        if (reference.current !== null && (await searchRefund(reference.current))) return await finish();
      } catch (error) {
        return setState({ step: 'unfound', problem: reasonOf(error, NOT_SEARCHED) });
      }
      await new Promise((resolve) => setTimeout(resolve, SEARCH_PAUSE_MS));
    }
    return setState({ step: 'unfound', problem: NOT_FOUND });
  };

  const pay = async () => {
    const opened = await openRefund({ signature: payment.signature, sendsItself });
    const { refund } = opened;
    const isSame =
      refund.fromAddress === payment.callerAddress &&
      refund.toAddress === payment.payerAddress &&
      BigInt(refund.lamports) === parseSol(payment.callerAmount);
    if (!isSame) throw new Error('The refund differs from the receipt.');
    reference.current = refund.reference;
    const { buildRefund } = await import('./build-refund.ts');
    const unsigned = buildRefund(opened);
    if (sendsItself) await signAndSendTransaction(unsigned).catch(rethrowIfUnsent);
    else await sendRefund(toBase64(await signTransaction(unsigned))).catch(rethrowIfAnswered);
  };

  return {
    state,
    wait,
    async start() {
      setState({ step: 'signing', problem: null });
      try {
        await pay();
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
const NOT_SEARCHED = "Couldn't look for the refund. Try again.";

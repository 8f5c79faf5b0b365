import { Transaction, type Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { listOwnPeriods, openIntent } from '#web/api/payments.queries.ts';
import { openPayment } from '#web/features/subscribe/payment/open-payment.ts';
import { createPaymentDependencies } from '#web/features/subscribe/payment/payment-dependencies.ts';
import { readOtherPayment } from '#web/features/subscribe/payment/payment-failures.ts';
import { createPendingPayments } from '#web/features/subscribe/payment/pending-payments.ts';
import {
  isSigned,
  type PaymentDependencies,
  type PaymentOutcome,
} from '#web/features/subscribe/payment/payment-types.ts';
import { payCaller, SHOWN_FEE_MS } from '#web/features/subscribe/payment/pay-caller.ts';
import type { Person, TestApp } from '#test/test-app.ts';

/** The state that stays on the computer when a tab is closed. */
export interface Computer {
  readonly storage: Map<string, string>;
  readonly wallet: Keypair;
  /** The signed transactions by signature (base58), oldest first. */
  readonly signed: Map<string, Uint8Array>;
}

export type Around = <Result>(name: string, call: () => Promise<Result>) => Promise<Result>;

export type Transport = (sendRequest: () => Promise<Response>) => Promise<Response>;

/** The outcome of pressing Pay. It is `unprepared` if the dialog offered no Pay button. */
export type PayOutcome =
  | PaymentOutcome
  | { readonly status: 'unprepared'; readonly reason: string; readonly isPaidByOther: boolean };

interface TabOptions {
  readonly app: TestApp;
  readonly person: Person;
  readonly computer: Computer;
  readonly callerId: string;
  readonly transport: Transport;
  readonly around: Around;
}

let current: { person: Person; transport: Transport } | undefined;

/** Sends the page's API requests to the open tab's app. @returns a function that restores `fetch` */
export function connectPages(): () => void {
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    if (typeof input !== 'string' || !input.startsWith('/api/')) return fetch(input, init);
    if (!current) throw new Error('No tab is open');
    const { person, transport } = current;
    return transport(() => (init?.method === 'POST' ? person.post(input, init.body) : person.get(input)));
  };
  return () => {
    globalThis.fetch = fetch;
  };
}

/**
 * Opens the subscribe dialog and presses Pay. Runs the page's own code, and replaces only the clock and the
 * wallet. Continues an earlier signed payment, as the dialog does.
 */
export async function payInTab(options: TabOptions): Promise<PayOutcome> {
  const { app, person, computer, callerId, transport, around } = options;
  current = { person, transport };
  const { storage, wallet, signed } = computer;
  const { now } = app.clock;
  const pendingPayments = createPendingPayments({
    userId: person.id,
    storage: {
      keys: () => [...storage.keys()],
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string | null) =>
        void (value === null ? storage.delete(key) : storage.set(key, value)),
    },
    now,
  });
  const real = createPaymentDependencies({
    pendingPayments,
    signTransaction: async (bytes) => {
      const transaction = Transaction.from(bytes);
      transaction.sign(wallet);
      const signedBytes = new Uint8Array(transaction.serialize({ verifySignatures: false }));
      signed.set(bs58.encode(transaction.signature ?? new Uint8Array()), signedBytes);
      return signedBytes;
    },
  });
  const step =
    <Input, Result>(name: string, call: (input: Input) => Promise<Result>) =>
    (input: Input) =>
      around(name, () => call(input));
  const dependencies: PaymentDependencies = {
    ...real,
    open: (input) =>
      openPayment(input, {
        openIntent: step('openIntent', openIntent),
        listOwnPeriods: step('listOwnPeriods', listOwnPeriods),
        now,
      }),
    buildPayment: step('buildPayment', real.buildPayment),
    signTransaction: step('signTransaction', real.signTransaction),
    readSignature: step('readSignature', real.readSignature),
    sendTransaction: step('sendTransaction', real.sendTransaction),
    confirmTransaction: step('confirmTransaction', real.confirmTransaction),
    searchPayment: step('searchPayment', real.searchPayment),
    wait: step('wait', app.advance),
    after: () => () => undefined,
    now,
  };

  const watch = { onProgress: () => undefined, signal: new AbortController().signal };
  const pending = pendingPayments.find(callerId);
  if (pending) {
    const outcome = await payCaller({ kind: 'resume', pending }, dependencies, watch);
    // A payment of another computer that isn't found: the user looks into the wallet and starts over.
    if (outcome.status === 'failed' && !isSigned(pending)) pendingPayments.forget(pending);
    return outcome;
  }
  try {
    const shown = await openPayment(
      { callerId, payer: wallet.publicKey.toBase58() },
      { openIntent, listOwnPeriods, now },
    );
    await app.advance(SHOWN_FEE_MS + 1_000);
    return await payCaller({ kind: 'new', callerId, shown }, dependencies, watch);
  } catch (error) {
    const isPaidByOther = readOtherPayment(error, callerId, now()) !== null;
    return { status: 'unprepared', reason: String(error), isPaidByOther };
  }
}

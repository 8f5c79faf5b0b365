import { LOG_ANCHOR_LATE_MS, LOG_ANCHOR_RESERVE } from '#schema/constants/log.ts';
import { chooseComputeBudget, networkFeeOf } from '#schema/rules/money/network-fee.ts';
import type { Base } from '../../app/base.ts';
import { ifUnavailable } from '../../ports/unavailable.ts';
import { fromBase64 } from '../../shared/base64.ts';
import type { AnchorWallet, SignedMemo } from './anchor-wallet.ts';
import { createAnchorsRepository, type Anchor } from './anchors.repository.ts';

export interface AnchorsOptions extends Pick<Base, 'db' | 'chain' | 'leases' | 'alarmOnce' | 'clock'> {
  readonly wallet: AnchorWallet;
  readonly origin: string;
}

type Outcome = 'sent' | 'pending' | 'finalized' | 'dead' | 'unfunded';

/** Writes the log's root to the chain. The cron decides when (`dueTimes`). */
export function createAnchorsService(options: AnchorsOptions) {
  const { db, leases, alarmOnce, clock } = options;
  const repository = createAnchorsRepository(db);
  const { begin, goOn } = createSteps(options);
  return {
    async anchor(): Promise<Outcome | null> {
      const { open, newest, uncoveredSince } = await repository.readState();
      if (newest === null) return null;
      const now = clock.now();
      if (uncoveredSince !== null && now - uncoveredSince > LOG_ANCHOR_LATE_MS) {
        const since = new Date(uncoveredSince).toISOString();
        await alarmOnce({ kind: 'log.not_anchored', details: { since } });
      }
      return leases.run({ job: 'log.anchor', work: () => (open === null ? begin(newest) : goOn(open)) });
    },
  };
}

function createSteps({ db, chain, wallet, origin, alarmOnce, clock }: AnchorsOptions) {
  const repository = createAnchorsRepository(db);
  const send = async ({ signature, signedBytes }: SignedMemo): Promise<Outcome> => {
    const sent = await chain.send({ signature, bytes: fromBase64(signedBytes) });
    if (!('rejection' in sent)) return 'sent';
    // The transaction may still land until its blockhash expires, so the anchor stays open.
    console.error(JSON.stringify({ event: 'log.anchor_rejected', signature, ...sent.rejection }));
    return 'pending';
  };

  return {
    /** Stores the signed transaction before sending it, so that every transaction that lands is known. */
    async begin({ size, root }: { size: number; root: string }): Promise<Outcome | null> {
      const address = wallet.address();
      const [balance = 0n] = await chain.balances([address]);
      // Recent fee prices are optional: without them, use the defaults.
      const prices = await chain.recentPrices([address]).catch(ifUnavailable([]));
      const budget = chooseComputeBudget(prices);
      if (balance < LOG_ANCHOR_RESERVE * networkFeeOf(chooseComputeBudget([]))) {
        await alarmOnce({ kind: 'log.anchor_balance', details: { address, lamports: String(balance) } });
      }
      if (balance < networkFeeOf(budget)) return 'unfunded';
      const { blockhash, lastValidBlockHeight } = await chain.latestBlockhash();
      const signed = wallet.signMemo({ text: `${origin} ${size} ${root}`, blockhash, budget });
      const anchor = { ...signed, size, root, lastValidBlockHeight, createdAt: clock.now() };
      return (await repository.insert(anchor)) ? send(signed) : null;
    },

    async goOn({ signature, signedBytes, lastValidBlockHeight: height }: Anchor): Promise<Outcome> {
      const [state] = await chain.signatureStates([signature]);
      if (state?.status === 'finalized' && state.error === null) {
        const transaction = await chain.transaction(signature);
        if (typeof transaction === 'string' || transaction.blockTime === null) return 'pending';
        await repository.end(signature, { finalizedAt: clock.now(), blockTime: transaction.blockTime });
        return 'finalized';
      }
      if (state?.status === 'finalized') {
        console.error(JSON.stringify({ event: 'log.anchor_failed', signature, error: state.error }));
      } else {
        if (state?.status !== 'unknown') return 'pending';
        if ((await chain.blockHeight()) <= height) return send({ signature, signedBytes: signedBytes ?? '' });
        const absent = await chain.absentAtFinalized([{ signature, upTo: { blockHeight: height } }]);
        if (!absent.has(signature)) return 'pending';
      }
      await repository.end(signature, { deadAt: clock.now() });
      return 'dead';
    },
  };
}

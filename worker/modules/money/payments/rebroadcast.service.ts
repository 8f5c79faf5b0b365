import { SECOND_MS } from '#schema/constants/time.ts';
import type { SignatureState } from '../../../ports/chain.ts';
import type { Timer } from '../../../ports/timer.ts';
import { mapConcurrently, MAX_CONNECTIONS } from '../../../shared/concurrency.ts';
import { fromBase64 } from '../../../shared/base64.ts';
import type { DueBroadcast } from './broadcasts.repository.ts';
import type { PaymentDependencies } from './record-payment.ts';
import { describeError } from '../../../shared/describe-error.ts';

const SENDS_PER_RUN = 20;
const MIN_PAUSE_MS = SECOND_MS;
/** Half of the connections, because a send may ask both endpoints. */
const CONCURRENT_SENDS = MAX_CONNECTIONS / 2;

export interface RebroadcastOptions extends Pick<PaymentDependencies, 'broadcasts' | 'chain' | 'clock'> {
  readonly timer: Timer;
}

/**
 * Sends stored transactions again until they are on the chain or their blockhash has expired. This also works
 * after the page was closed. The bytes stay the same, so a transaction lands at most once.
 */
export function createRebroadcastService(options: RebroadcastOptions) {
  const { broadcasts, clock, timer } = options;
  const sendAgain = createSendAgain(options);

  const run = async (): Promise<number | null> => {
    const due = await broadcasts.takeDue({ now: clock.now(), limit: SENDS_PER_RUN });
    if (due.length > 0) {
      // After a failure, the transactions are sent again, because `takeDue` has already set their next due time.
      await sendAgain(due).catch((error: unknown) => logFailure(due, error));
    }
    const next = await broadcasts.findNextDue();
    return next === null ? null : Math.max(next, clock.now() + MIN_PAUSE_MS);
  };

  return {
    run,

    async runAndWake(): Promise<void> {
      const next = await run();
      if (next !== null) await timer.wakeAt(next);
    },
  };
}

function createSendAgain({ broadcasts, chain }: RebroadcastOptions) {
  return async (due: readonly DueBroadcast[]): Promise<void> => {
    const withoutHeight = due.filter(({ lastValidBlockHeight }) => lastValidBlockHeight === null);
    if (withoutHeight.length > 0) {
      await broadcasts.setMissingHeights(signaturesOf(withoutHeight), await chain.lastValidBlockHeight());
    }
    const [states, height] = await Promise.all([
      chain.signatureStates(signaturesOf(due)),
      chain.blockHeight(),
    ]);
    const found = due.map((broadcast, index) => ({ ...broadcast, status: states[index]?.status }));
    const isOpen = ({ status, lastValidBlockHeight }: DueBroadcast & { status: Status }) =>
      status === 'processed' || (status === 'unknown' && height <= (lastValidBlockHeight ?? height));
    await broadcasts.stopSending(signaturesOf(found.filter((each) => !isOpen(each))));
    const missing = found.filter((each) => isOpen(each) && each.status === 'unknown');
    const send = async (broadcast: DueBroadcast) => {
      const bytes = fromBase64(broadcast.signedBytes);
      await chain
        .send({ bytes, signature: broadcast.signature })
        .catch((error: unknown) => logFailure([broadcast], error));
    };
    await mapConcurrently(missing, send, CONCURRENT_SENDS);
  };
}

type Status = SignatureState['status'] | undefined;

const signaturesOf = (broadcasts: readonly DueBroadcast[]) => broadcasts.map(({ signature }) => signature);

function logFailure(broadcasts: readonly DueBroadcast[], error: unknown): void {
  const signatures = signaturesOf(broadcasts);
  console.warn(JSON.stringify({ event: 'payment.not_resent', signatures, error: describeError(error) }));
}

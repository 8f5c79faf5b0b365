import { unitFrom } from '../market/noise.ts';

const SECOND_MS = 1000;

export interface SendLimit {
  /** Messages accepted per second; default: unlimited. */
  perSecond?: number | undefined;
  /** Share of the messages to refuse regardless of the rate, from 0 to 1. */
  tooManyShare?: number | undefined;
  retryAfterSeconds: number;
}

export interface SendLimits {
  set(limit: SendLimit): void;
  clear(): void;
  /** Returns how many seconds the next message must wait, or null if it may be sent. */
  secondsToWait(): number | null;
  accept(): void;
}

/** Accepts all messages until `set` is called. Random refusals are the same in every run. */
export function createSendLimits(now: () => number): SendLimits {
  let limit: SendLimit | undefined;
  let messages = 0;
  let accepted: number[] = [];
  const change = (next: SendLimit | undefined) => {
    limit = next;
    messages = 0;
    accepted = [];
  };
  return {
    set: change,
    clear: () => change(undefined),
    secondsToWait() {
      if (limit === undefined) return null;
      messages += 1;
      accepted = accepted.filter((at) => at > now() - SECOND_MS);
      const isFull = limit.perSecond !== undefined && accepted.length >= limit.perSecond;
      const isRandomRefusal = unitFrom(`message ${messages}`) < (limit.tooManyShare ?? 0);
      return isFull || isRandomRefusal ? limit.retryAfterSeconds : null;
    },
    accept() {
      if (limit !== undefined) accepted.push(now());
    },
  };
}

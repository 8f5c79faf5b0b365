import { unitFrom } from '../market/noise.ts';

const SECOND_MS = 1000;

/** When the local Telegram refuses messages. */
export interface WeatherWish {
  /** Messages accepted per second; default: all. */
  perSecond?: number | undefined;
  /** Share of messages refused regardless of the rate, from 0 to 1. */
  tooManyShare?: number | undefined;
  /** The `retry_after` of a refusal. */
  retryAfterSeconds: number;
}

export interface Weather {
  set(wish: WeatherWish): void;
  clear(): void;
  /** Asked before each message: the seconds to wait, or null when it may be sent. */
  refuse(): number | null;
  /** Counts an accepted message. */
  accept(): void;
}

/** Starts by accepting everything. The random refusals are the same in every run. */
export function createWeather(now: () => number): Weather {
  let wish: WeatherWish | undefined;
  let asked = 0;
  let accepted: number[] = [];
  const change = (next: WeatherWish | undefined) => {
    wish = next;
    asked = 0;
    accepted = [];
  };

  return {
    set: change,
    clear: () => change(undefined),
    refuse() {
      if (wish === undefined) return null;
      asked += 1;
      accepted = accepted.filter((at) => at > now() - SECOND_MS);
      const isFull = wish.perSecond !== undefined && accepted.length >= wish.perSecond;
      const isUnlucky = unitFrom(`weather ${asked}`) < (wish.tooManyShare ?? 0);
      return isFull || isUnlucky ? wish.retryAfterSeconds : null;
    },
    accept() {
      if (wish !== undefined) accepted.push(now());
    },
  };
}

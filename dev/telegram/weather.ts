import { unitFrom } from '../market/noise.ts';

const SECOND_MS = 1000;

/** How the local Telegram takes messages. */
export interface WeatherWish {
  /** How many messages it accepts in any second; without one, all of them. */
  perSecond?: number | undefined;
  /** Which share of messages it turns away whatever their number, from 0 to 1. */
  tooManyShare?: number | undefined;
  /** What it then says about coming back. */
  retryAfterSeconds: number;
}

/** Whether messages are taken at the moment. */
export interface Weather {
  set(wish: WeatherWish): void;
  clear(): void;
  /** Asked once a message, before it is looked at: in how many seconds to come back, or null when it may be sent. */
  refuse(): number | null;
  /** Notes that a message was accepted. */
  accept(): void;
}

/** Creates fair weather: everything is taken. The dice fall the same way in the same order. */
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

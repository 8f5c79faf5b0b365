import { SolanaJSONRPCError } from '@solana/web3.js';
import { SECOND_MS } from '#schema/constants.ts';
import type { Clock } from '../ports/clock.ts';
import { PortUnavailableError, WrongClusterError } from '../ports/unavailable.ts';
import {
  ATTEMPT_TIMEOUT_MS,
  createLeg,
  EndpointError,
  inTime,
  type Leg,
  type LegName,
  type LegOptions,
} from './solana-leg.ts';

/** What is left of a question's time is what its last attempt gets. */
const ATTEMPTS_IN_TIME = 3;
/** Between the first time that both were asked and the second. */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 400;
/** Whoever wants to be left alone for longer is not waited for. */
const LONGEST_RETRY_AFTER_MS = 2 * SECOND_MS;
/** For so long an endpoint that failed is asked after the other. */
const DOWN_MS = 30 * SECOND_MS;
/** Invalid parameters, and a version of transactions that we do not read: the question is at fault, and any endpoint says so. */
const FINAL_CODES: readonly unknown[] = [-32602, -32015];

export interface LegsOptions {
  readonly endpoints: Readonly<Record<LegName, string>>;
  readonly genesisHash: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly fetch: LegOptions['fetch'];
}

/** What one endpoint said to a question for each of them. */
export type LegAnswer<Answer> = { readonly name: LegName } & (
  | { readonly answer: Answer }
  | { readonly failure: unknown }
);

export interface Legs {
  /**
   * Asks the endpoints one after another until one answers: each of them once, and after a short pause each once more.
   * A question that answers `undefined` is passed on to the next. `timeoutMs` is an attempt's; all of them take
   * three times as long at the most.
   * @throws PortUnavailableError when none answers, WrongClusterError when one is not on our cluster
   */
  ask<Answer>(
    question: (leg: Leg) => Promise<Answer | undefined>,
    options?: { timeoutMs?: number },
  ): Promise<Answer>;
  /** Asks every endpoint at once, and once. @throws PortUnavailableError when none answers, WrongClusterError */
  askEach<Answer>(question: (leg: Leg) => Promise<Answer>): Promise<LegAnswer<Answer>[]>;
}

/** Two endpoints of one cluster, and which of them is asked when. */
export function createLegs({ endpoints, genesisHash, clock, random, fetch }: LegsOptions): Legs {
  const legs = (['primary', 'fallback'] as const).map((name) =>
    createLeg({ name, url: endpoints[name], genesisHash, fetch }),
  );
  const downUntil = new Map<Leg, number>();
  const isDown = (leg: Leg) => (downUntil.get(leg) ?? 0) > clock.now();
  const markDown = (leg: Leg, failure: unknown) => {
    if (!isDown(leg)) {
      console.warn(
        JSON.stringify({ event: 'chain.endpoint_failed', endpoint: leg.name, cause: String(failure) }),
      );
    }
    downUntil.set(leg, clock.now() + DOWN_MS);
  };

  /** Asks those that have not said their cluster yet, but those that are down. Answers which of them did not answer now. */
  const assertOneCluster = async (): Promise<ReadonlyMap<Leg, unknown>> => {
    const unknown = legs.filter((leg) => leg.isOurs() === null && !isDown(leg));
    const failures = new Map<Leg, unknown>();
    await Promise.all(
      unknown.map((leg) => leg.identify().catch((error: unknown) => failures.set(leg, error))),
    );
    for (const [leg, failure] of failures) markDown(leg, failure);
    const stranger = legs.find((leg) => leg.isOurs() === false);
    if (stranger) throw new WrongClusterError(stranger.name);
    return failures;
  };

  const attempt = async <Answer>({
    leg,
    question,
    timeoutMs,
  }: {
    leg: Leg;
    question: (leg: Leg) => Promise<Answer>;
    timeoutMs: number;
  }) => {
    const put = async () => {
      if (!(await leg.identify())) throw new WrongClusterError(leg.name);
      return question(leg);
    };
    const answer = await inTime(put(), { name: leg.name, timeoutMs });
    downUntil.delete(leg);
    return answer;
  };

  return {
    async ask(question, { timeoutMs = ATTEMPT_TIMEOUT_MS } = {}) {
      const deadline = clock.now() + ATTEMPTS_IN_TIME * timeoutMs;
      const failures = await assertOneCluster();
      const order = legs.toSorted((one, other) => Number(isDown(one)) - Number(isDown(other)));
      // Who did not even say its cluster has had its first turn.
      const asked = new Set<Leg>(failures.keys());
      const turns = [...order.filter((leg) => !asked.has(leg)), ...order];
      let hasBegun = false;
      let hasPaused = false;
      let [failure] = failures.values();
      for (let leg = turns.shift(); leg; leg = turns.shift()) {
        if (asked.has(leg) && !hasPaused) {
          await clock.sleep(
            Math.round(SHORTEST_PAUSE_MS + random() * (LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS)),
          );
          hasPaused = true;
        }
        const leftMs = hasBegun ? deadline - clock.now() : timeoutMs;
        if (leftMs <= 0) break;
        hasBegun = true;
        asked.add(leg);
        try {
          const answer = await attempt({ leg, question, timeoutMs: Math.min(timeoutMs, leftMs) });
          if (answer !== undefined) return answer;
        } catch (error) {
          if (error instanceof WrongClusterError) throw error;
          if (error instanceof SolanaJSONRPCError && FINAL_CODES.includes(error.code)) {
            throw new PortUnavailableError('chain', error);
          }
          failure = error;
          const waitMs = readShortWait(error);
          if (waitMs !== null && turns.includes(leg)) {
            // Its second turn comes now, and needs no other pause.
            turns.splice(turns.indexOf(leg), 1);
            turns.unshift(leg);
            asked.delete(leg);
            await clock.sleep(waitMs);
          } else markDown(leg, error);
        }
      }
      throw new PortUnavailableError('chain', failure);
    },

    async askEach(question) {
      await assertOneCluster();
      const answers = await Promise.all(
        legs.map(async (leg) => {
          const { name } = leg;
          try {
            return { name, answer: await attempt({ leg, question, timeoutMs: ATTEMPT_TIMEOUT_MS }) };
          } catch (failure) {
            if (failure instanceof WrongClusterError) throw failure;
            markDown(leg, failure);
            return { name, failure };
          }
        }),
      );
      if (answers.every((each) => 'failure' in each)) {
        throw new PortUnavailableError('chain', answers[0]?.failure);
      }
      return answers;
    },
  };
}

function readShortWait(error: unknown): number | null {
  const waitMs = error instanceof EndpointError ? error.retryAfterMs : null;
  return waitMs !== null && waitMs <= LONGEST_RETRY_AFTER_MS ? waitMs : null;
}

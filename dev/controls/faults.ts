import { setTimeout as pause } from 'node:timers/promises';

export const services = [
  'x',
  'telegram',
  'jupiter',
  'dexscreener',
  'solana',
  'solana-primary',
  'solana-fallback',
] as const;
/** A service of the outside world that can be made to misbehave; `solana` is both of its endpoints. */
export type Service = (typeof services)[number];

/** How a service misbehaves, and for which of its requests. */
export interface Fault {
  service: Service;
  /** Answer with this HTTP status instead. */
  status?: number | undefined;
  /** Wait before answering, or before failing. */
  delayMs?: number | undefined;
  /** Cut the connection without an answer. */
  drop?: boolean | undefined;
  /** Do what was asked, then cut the connection; Solana only. */
  dropAnswer?: boolean | undefined;
  /** Only requests whose path contains this, or whose (JSON-RPC or HTTP) method is this. */
  path?: string | undefined;
  /** Only this many requests, then the fault is over. */
  count?: number | undefined;
}

/** What is left for a server to do with a request after the delay is over. */
export interface Verdict {
  status?: number;
  drop?: boolean;
  dropAnswer?: boolean;
}

/** Which request a fault is asked about. */
export interface FaultRequest {
  path?: string | undefined;
  method?: string | undefined;
}

/** The faults of one local world. */
export interface Faults {
  add(fault: Fault): void;
  clear(): void;
  list(): readonly Fault[];
  /** Waits out a delay and says how to fail; undefined means answer as usual. */
  strike(service: Service, request?: FaultRequest): Promise<Verdict | undefined>;
}

/** Creates the register of faults; `sleep` is replaced in tests. */
export function createFaults({ sleep = pause }: { sleep?: (ms: number) => Promise<unknown> } = {}): Faults {
  let active: Fault[] = [];

  return {
    add(fault) {
      active.push({ ...fault });
    },
    clear() {
      active = [];
    },
    list: () => active,
    async strike(service, request = {}) {
      const fault = active.find((each) => covers(each.service, service) && isAimedAt(each, request));
      if (fault === undefined) return undefined;
      // Counted before the wait, so that two requests at once do not share the last strike.
      if (fault.count !== undefined) {
        fault.count -= 1;
        if (fault.count <= 0) active = active.filter((each) => each !== fault);
      }
      if (fault.delayMs !== undefined) await sleep(fault.delayMs);
      if (fault.drop === true) return { drop: true };
      if (fault.status !== undefined) return { status: fault.status };
      if (fault.dropAnswer === true) return { dropAnswer: true };
      return undefined;
    },
  };
}

function covers(struck: Service, asked: Service): boolean {
  return struck === asked || (struck === 'solana' && asked.startsWith('solana-'));
}

function isAimedAt(fault: Fault, { path, method }: FaultRequest): boolean {
  if (fault.path === undefined) return true;
  return path?.includes(fault.path) === true || method === fault.path;
}

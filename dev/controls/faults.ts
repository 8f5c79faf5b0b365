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
/** `solana` means both RPC endpoints. */
export type Service = (typeof services)[number];

export interface Fault {
  service: Service;
  status?: number | undefined;
  delayMs?: number | undefined;
  /** Closes the connection without a response. */
  drop?: boolean | undefined;
  /** Executes the request, then closes the connection without a response. Only for Solana. */
  dropAnswer?: boolean | undefined;
  /**
   * Limits the fault to some requests: their path contains this text, or their method (JSON-RPC or HTTP) equals
   * it.
   */
  path?: string | undefined;
  /** Limits the fault to the next `count` requests. */
  count?: number | undefined;
}

export interface Verdict {
  status?: number;
  drop?: boolean;
  dropAnswer?: boolean;
}

export interface FaultRequest {
  path?: string | undefined;
  method?: string | undefined;
}

export interface Faults {
  add(fault: Fault): void;
  clear(): void;
  list(): readonly Fault[];
  /** Waits for the fault's delay, then returns how the request fails. Undefined if it doesn't fail. */
  apply(service: Service, request?: FaultRequest): Promise<Verdict | undefined>;
}

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
    async apply(service, request = {}) {
      const fault = active.find((each) => covers(each.service, service) && isAimedAt(each, request));
      if (fault === undefined) return undefined;
      // Decrease the count before the delay. Otherwise two concurrent requests could both use the fault's last
      // remaining count.
      if (fault.count !== undefined) {
        fault.count -= 1;
        if (fault.count <= 0) active = active.filter((each) => each !== fault);
      }
      if (fault.delayMs !== undefined) await sleep(fault.delayMs);
      return verdictOf(fault);
    },
  };
}

function verdictOf({ drop, status, dropAnswer }: Fault): Verdict | undefined {
  if (drop === true) return { drop };
  if (status !== undefined) return { status };
  return dropAnswer === true ? { dropAnswer } : undefined;
}

function covers(faulty: Service, requested: Service): boolean {
  return faulty === requested || (faulty === 'solana' && requested.startsWith('solana-'));
}

function isAimedAt(fault: Fault, { path, method }: FaultRequest): boolean {
  if (fault.path === undefined) return true;
  return path?.includes(fault.path) === true || method === fault.path;
}

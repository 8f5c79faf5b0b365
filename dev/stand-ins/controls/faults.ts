import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { hashToUnit } from '../market/noise.ts';

export const services = [
  'x',
  'telegram',
  'jupiter',
  'dexscreener',
  'witness',
  'push',
  'solana',
  'solana-primary',
  'solana-fallback',
] as const;
/** `solana` means both RPC endpoints. */
export type Service = (typeof services)[number];

export const faultSchema = z
  .strictObject({
    service: z.enum(services),
    status: z.int().min(400).max(599).optional(),
    delayMs: z.int().min(0).max(120_000).optional(),
    /** Closes the connection without a response. */
    drop: z.boolean().optional(),
    /** Executes the request, then closes the connection without a response. Only for Solana. */
    dropResponse: z.boolean().optional(),
    /** Executes the request, then sends only the first half of the response's text. */
    cutResponse: z.boolean().optional(),
    /**
     * Limits the fault to some requests: their path contains this text, or their method (JSON-RPC or HTTP) equals
     * it.
     */
    path: z.string().min(1).optional(),
    /** Limits the fault to the next `count` requests. */
    count: z.int().min(1).optional(),
    /** Limits the fault to this share of the requests, from 0 to 1. The same requests fail in every run. */
    share: z.number().min(0).max(1).optional(),
  })
  .refine(
    ({ status, delayMs, drop, dropResponse, cutResponse }) =>
      status !== undefined || delayMs !== undefined || drop || dropResponse || cutResponse,
    { message: 'a fault needs a status, a delayMs, drop: true, dropResponse: true or cutResponse: true' },
  )
  .refine(({ service, dropResponse }) => !dropResponse || service.startsWith('solana'), {
    message: 'dropResponse works only for Solana',
  });
export type Fault = z.infer<typeof faultSchema>;

/** How a request fails. */
export type Verdict = Pick<Fault, 'status' | 'drop' | 'dropResponse' | 'cutResponse'>;

/** A request that a fault has hit. */
export interface FaultHit {
  readonly service: Service;
  /** Unix ms. */
  readonly at: number;
}

const MOST_REMEMBERED = 5_000;

export interface FaultRequest {
  path?: string | undefined;
  method?: string | undefined;
}

export type Faults = ReturnType<typeof createFaults>;

export function createFaults() {
  let active: Fault[] = [];
  let hits: FaultHit[] = [];
  let draws = 0;
  const isDrawn = ({ share = 1 }: Fault) => share >= 1 || hashToUnit(`fault ${(draws += 1)}`) < share;

  return {
    add(fault: Fault) {
      active.push({ ...fault });
    },
    clear() {
      active = [];
    },
    list: () => active,
    /** The newest requests that a fault has hit, oldest first. */
    struck: () => hits,
    /** Waits for the fault's delay, then returns how the request fails. Undefined if it doesn't fail. */
    async apply(service: Service, request: FaultRequest = {}) {
      const fault = active.find(
        (each) => covers(each.service, service) && isAimedAt(each, request) && isDrawn(each),
      );
      if (fault === undefined) return undefined;
      hits = [...hits.slice(1 - MOST_REMEMBERED), { service, at: Date.now() }];
      // Decrease the count before the delay. Otherwise two concurrent requests could both use the fault's last
      // remaining count.
      if (fault.count !== undefined) {
        fault.count -= 1;
        if (fault.count <= 0) active = active.filter((each) => each !== fault);
      }
      if (fault.delayMs !== undefined) await pause(fault.delayMs);
      return verdictOf(fault);
    },
  };
}

function verdictOf({ drop, status, dropResponse, cutResponse }: Fault): Verdict | undefined {
  if (drop === true) return { drop };
  if (status !== undefined) return { status };
  if (dropResponse === true) return { dropResponse };
  return cutResponse === true ? { cutResponse } : undefined;
}

function covers(faulty: Service, requested: Service): boolean {
  return faulty === requested || (faulty === 'solana' && requested.startsWith('solana-'));
}

function isAimedAt(fault: Fault, { path, method }: FaultRequest): boolean {
  if (fault.path === undefined) return true;
  return path?.includes(fault.path) === true || method === fault.path;
}

/** How the chain fails a question: it never hears it, its answer is lost, or it says that it is busy. */
export type ChainFailure = 'deaf' | 'mute' | 'busy';

export interface ChainFault {
  readonly failure: ChainFailure;
  /** Left out: every method. */
  readonly method?: string;
  readonly count: number;
}

/** The chain as a watched operation meets it. */
export interface ChainFaults {
  add(fault: ChainFault): void;
  clear(): void;
  /** How many questions have failed so far. */
  readonly struck: number;
  /** For `Watch.askChain`. */
  ask(method: string, ask: () => Promise<Response>): Promise<Response>;
}

export function createChainFaults(): ChainFaults {
  let waiting: { fault: ChainFault; left: number }[] = [];
  let struck = 0;
  return {
    add: (fault) => {
      waiting.push({ fault, left: fault.count });
    },
    clear: () => {
      waiting = [];
    },
    get struck() {
      return struck;
    },
    async ask(method, ask) {
      const next = waiting.find(({ fault }) => fault.method === undefined || fault.method === method);
      if (next === undefined) return ask();
      next.left -= 1;
      waiting = waiting.filter(({ left }) => left > 0);
      struck += 1;
      if (next.fault.failure === 'busy') return new Response('busy', { status: 503 });
      if (next.fault.failure === 'mute') await ask();
      throw new TypeError('Network connection lost.');
    },
  };
}

/** `deaf`: the request is lost. `mute`: the response is lost. `busy`: the response is a 503. */
export type ChainFailure = 'deaf' | 'mute' | 'busy';

export interface ChainFault {
  readonly failure: ChainFailure;
  /** The JSON-RPC method that fails. By default, every method fails. */
  readonly method?: string;
  readonly count: number;
}

export interface ChainFaults {
  add(fault: ChainFault): void;
  clear(): void;
  readonly struck: number;
  sendRequest(method: string, sendRequest: () => Promise<Response>): Promise<Response>;
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
    async sendRequest(method, sendRequest) {
      const next = waiting.find(({ fault }) => fault.method === undefined || fault.method === method);
      if (next === undefined) return sendRequest();
      next.left -= 1;
      waiting = waiting.filter(({ left }) => left > 0);
      struck += 1;
      if (next.fault.failure === 'busy') return new Response('busy', { status: 503 });
      if (next.fault.failure === 'mute') await sendRequest();
      throw new TypeError('Network connection lost.');
    },
  };
}

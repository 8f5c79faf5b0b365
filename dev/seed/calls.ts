import type { Services } from '#worker/app/services.ts';
import { priceAt } from '../stand-ins/market/walk.ts';
import type { People } from './people.ts';
import type { PlannedCall } from './plan-calls.ts';

const SERVICE_UNAVAILABLE = 503;

/** Steers the local price sources. */
export interface Controls {
  send(method: 'POST' | 'DELETE', path: string, body?: object): Promise<void>;
}

interface CallsOptions {
  readonly services: Services;
  readonly people: People;
  readonly controls: Controls;
}

/** The sample callers' actions on their calls. */
export function createCalls({ services, people, controls }: CallsOptions) {
  const ids = new Map<PlannedCall, string>();
  const ownCall = (call: PlannedCall) => {
    const id = ids.get(call);
    if (id === undefined) throw new Error(`The call of ${call.token.symbol} hasn't opened yet`);
    return { id, userId: people.idOf(call.caller) };
  };

  /** Runs `act` while the sources are as the plan says. */
  const withSources = async (call: PlannedCall, side: 'open' | 'end', act: () => Promise<unknown>) => {
    const { token, isOneSourceDown, isLiquidityUnknown } = call;
    if (isLiquidityUnknown) {
      const price = priceAt(token.mint, services.clock.now());
      await controls.send('POST', '/prices', { mint: token.mint, price, liquidityUsd: null });
    }
    if (isOneSourceDown[side]) {
      await controls.send('POST', '/faults', { service: 'dexscreener', status: SERVICE_UNAVAILABLE });
    }
    await act();
    if (isLiquidityUnknown) await controls.send('DELETE', '/prices');
    if (isOneSourceDown[side]) await controls.send('DELETE', '/faults');
  };

  return {
    open: (call: PlannedCall) =>
      withSources(call, 'open', async () => {
        const { token, seenPrice, thesis, targetPrice, stopPrice, isPaidPromotion } = call;
        const userId = people.idOf(call.caller);
        const { id } = await services.calls.create({
          userId,
          body: {
            callerId: userId,
            tokenMint: token.mint,
            tokenSymbol: token.symbol,
            tokenName: token.name,
            entryPrice: seenPrice,
            thesis,
            targetPrice,
            stopPrice,
            isPaidPromotion,
          },
        });
        ids.set(call, id);
      }),

    end: (call: PlannedCall) => withSources(call, 'end', () => services.calls.end(ownCall(call))),

    async update(call: PlannedCall, message: string): Promise<void> {
      const { id, userId } = ownCall(call);
      await services.callUpdates.send({ userId, body: { callId: id, message } });
    },
  };
}

import { DurableObject } from 'cloudflare:workers';
import type { Bindings } from '../app/env.ts';
import { servicesOf } from '../app/services.ts';
import { respondToPings, type LiveHub as Hub } from '../modules/messages/live/live-hub.ts';
import type { DescribedChange, LiveEvents, PeopleChange } from '../ports/live.ts';

/**
 * Holds the WebSockets of its viewers and hibernates between events. Each connection stores its viewer, so waking up
 * needs no database read.
 */
export class LiveHub extends DurableObject<Bindings> implements LiveEvents {
  readonly #hub: Hub;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    respondToPings(ctx);
    this.#hub = servicesOf(env).openLiveHub({
      sockets: ctx,
      wakeAt: async (at) => {
        if ((await ctx.storage.getAlarm()) === null) await ctx.storage.setAlarm(at);
      },
    });
  }

  override fetch(request: Request): Promise<Response> {
    return this.#hub.join(request);
  }

  callsChanged(changes: readonly DescribedChange[]): Promise<void> {
    return this.#hub.callsChanged(changes);
  }

  peopleChanged(change: PeopleChange): Promise<void> {
    return this.#hub.peopleChanged(change);
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    return this.#hub.message(socket, message);
  }

  override alarm(): Promise<void> {
    return this.#hub.sendPrices();
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    // `close` doesn't accept the reserved codes 1005 and 1006.
    socket.close(code === 1005 || code === 1006 ? 1000 : code);
  }
}

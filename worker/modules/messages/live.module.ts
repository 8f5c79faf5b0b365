import type { Base } from '../../app/base.ts';
import { LIVE_HUB_NAMES, liveHubOf } from '../../app/env.ts';
import { createLiveService } from './live/live.service.ts';

/** Creates the service that notifies open pages of changes. It needs no other module, so every module can use it. */
export const createLive = ({ env, lifetime }: Base) =>
  createLiveService({
    hubs: { names: LIVE_HUB_NAMES, nameOf: liveHubOf, open: (name) => env.LIVE.getByName(name) },
    lifetime,
  });

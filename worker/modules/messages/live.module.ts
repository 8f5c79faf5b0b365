import type { Base } from '../../app/base.ts';
import { LIVE_HUB_NAMES, liveHubOf } from '../../app/env.ts';
import { createLiveService } from './live/live.service.ts';

/** Tells open pages what has changed. Nothing else is needed for it, so that every module can have it. */
export const createLive = ({ env, lifetime }: Base) =>
  createLiveService({
    hubs: { names: LIVE_HUB_NAMES, nameOf: liveHubOf, open: (name) => env.LIVE.getByName(name) },
    lifetime,
  });

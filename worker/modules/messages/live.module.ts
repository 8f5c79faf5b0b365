import type { Base } from '../../app/base.ts';
import { LIVE_HUB_NAMES, liveHubOf } from '../../app/env.ts';
import { createLiveService, type DescribeChange } from './live/live.service.ts';

/** Creates the service that notifies open pages of changes. Every module can use it. */
export const createLive = ({ env, lifetime }: Base, describe: DescribeChange) =>
  createLiveService({
    describe,
    hubs: { names: LIVE_HUB_NAMES, nameOf: liveHubOf, open: (name) => env.LIVE.getByName(name) },
    lifetime,
  });

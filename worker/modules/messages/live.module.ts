import type { Base } from '../../app/base.ts';
import { LIVE_HUB_NAMES, liveHubOf } from '../../app/env.ts';
import { createLiveService, type DescribeChange } from './live/live.service.ts';

export const createLive = ({ env, lifetime }: Base, describe: DescribeChange) =>
  createLiveService({
    describe,
    hubs: { names: LIVE_HUB_NAMES, nameOf: liveHubOf, open: (name) => env.LIVE.getByName(name) },
    lifetime,
  });

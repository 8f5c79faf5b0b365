import type { Base } from '../../app/base.ts';
import { createLiveService, type DescribeChange } from './live/live.service.ts';

export const createLive = (base: Base, describe: DescribeChange) => createLiveService({ ...base, describe });

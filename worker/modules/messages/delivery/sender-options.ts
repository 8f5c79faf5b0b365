import type { Clock } from '../../../ports/clock.ts';
import type { Metrics } from '../../../ports/metrics.ts';
import type { Messenger } from '../../../ports/messenger.ts';
import type { Channel } from '../../../ports/outbox.ts';
import type { KnownAlarm } from '../../../shared/alarms.ts';
import type { DeliveriesRepository } from './deliveries.repository.ts';
import type { OutboxStore } from './outbox.repository.ts';
import type { PrepareOptions } from './prepare-batch.ts';

export interface SenderOptions extends PrepareOptions {
  readonly store: OutboxStore;
  readonly repository: DeliveriesRepository;
  readonly channel: Channel;
  readonly perSecond: number;
  readonly perMinute: number;
  readonly messenger: Pick<Messenger, 'send'>;
  /** The messenger combines the messages to a recipient that are more than `perMinute`. */
  readonly combines?: boolean;
  readonly alarmOperators: (alarm: KnownAlarm) => Promise<void>;
  /** Sets the one alarm, which calls `run`; null deletes it. */
  readonly setAlarm: (at: number | null) => Promise<void>;
  /** While posting is paused, messages about calls stay waiting. */
  readonly isPostingPaused: () => Promise<boolean>;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

import type { Clock } from '../../ports/clock.ts';
import type { Messenger } from '../../ports/messenger.ts';
import type { TelegramLinksRepository } from './telegram-links.repository.ts';

export interface TelegramLinksOptions {
  readonly repository: TelegramLinksRepository;
  readonly messenger: Messenger;
  readonly clock: Clock;
  readonly appOrigin: string;
  /** Telegram sends it with every update. */
  readonly webhookSecret: string;
}

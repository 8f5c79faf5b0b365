import type { PersonTelegram } from '#schema/contracts/operators.ts';
import type { ChannelOutbox } from '../../../ports/outbox.ts';
import type { PersonTelegramRepository } from './person-telegram.repository.ts';

export interface PersonTelegramOptions extends Pick<ChannelOutbox, 'listResults'> {
  readonly personTelegram: PersonTelegramRepository;
}

/** Answers "My Telegram is silent". */
export function createReadTelegram({ personTelegram, listResults }: PersonTelegramOptions) {
  return async (personId: string): Promise<PersonTelegram> => {
    const [{ link, switchedOff, muted }, results] = await Promise.all([
      personTelegram.find(personId),
      listResults(personId),
    ]);
    const { chatId = null, connectedAt = null } = link ?? {};
    const saved = chatId === null ? 'pending' : 'connected';
    return {
      chat: link === null ? 'none' : saved,
      connectedAt: connectedAt === null ? null : new Date(connectedAt).toISOString(),
      switchedOff,
      muted,
      messages: results.map(({ kind, at, result }) => ({ kind, at: new Date(at).toISOString(), result })),
    };
  };
}

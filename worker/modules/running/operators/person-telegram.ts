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
    return {
      chat: chatOf(link),
      connectedAt: timeOf(link?.connectedAt ?? null),
      switchedOff,
      muted,
      messages: results.map(({ kind, at, result }) => ({ kind, at: new Date(at).toISOString(), result })),
    };
  };
}

function chatOf(link: { readonly isConnected: boolean } | null): PersonTelegram['chat'] {
  if (link === null) return 'none';
  return link.isConnected ? 'connected' : 'pending';
}

const timeOf = (at: number | null) => (at === null ? null : new Date(at).toISOString());

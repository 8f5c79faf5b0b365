import { OUTBOX_BATCH_SIZE } from '#schema/constants/messages.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { Base } from '../../../app/base.ts';
import type { CallChange, Live } from '../../../ports/live.ts';
import type { MessagesWriter, Outbox, OutgoingEvent } from '../../../ports/outbox.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { withTimeout } from '../../../shared/with-timeout.ts';
import { forFormerChat } from './former-chat.repository.ts';
import type { FactKinds } from './fact-kinds.ts';
import type { Plan } from './fact-kind.ts';
import { createFactsRepository, type DueFact } from './facts.repository.ts';

const REQUEST_TIMEOUT_MS = 2 * SECOND_MS;
const MAX_PAGES = 20;
/** The senders send these in less than half a minute, because the messages about a call wait behind them. */
const MAX_REMINDER_PAGES = 7;

interface WriterOptions extends Pick<Base, 'db' | 'clock'> {
  readonly kinds: FactKinds;
  readonly outbox: Outbox;
  readonly live: Live;
}

/**
 * Hands facts to the senders and to open pages, then deletes them. After a crash between the two, the senders get the
 * facts again and ignore them. Two runs may overlap.
 */
export function createMessagesWriter({ db, kinds, outbox, live, clock }: WriterOptions) {
  const repository = createFactsRepository(db);
  const planAll = async (facts: readonly DueFact[]): Promise<Plan[]> => {
    const plans = [...Map.groupBy(facts, ({ kind }) => kind)].map(async ([kind, ofKind]) => {
      const plan = kinds.get(kind)?.plan;
      return plan ? plan(ofKind) : ofKind.map((fact) => ({ fact, subject: fact.subject, next: null }));
    });
    // In the order in which they happened.
    return (await Promise.all(plans)).flat().toSorted((one, other) => one.fact.at - other.fact.at);
  };

  const eventsOf = (fact: DueFact, subject: string): OutgoingEvent[] => {
    const { lifetimeMs = 0, audience, isSecurity } = kinds.get(fact.kind) ?? {};
    if (fact.at <= clock.now() - lifetimeMs) return [];
    const event = eventOf({ ...fact, subject });
    // Somebody without a channel gets no message, not even after connecting one later.
    return [
      ...(audience !== undefined || fact.isReachable === 1 ? [event] : []),
      ...(isSecurity === true && fact.hasFormerChat === 1 ? [forFormerChat(event)] : []),
    ];
  };

  const listPage = (isReminder: boolean, after: DueFact | undefined) =>
    repository.listDue({
      isReminder,
      after,
      kinds: [...kinds.keys()],
      now: clock.now(),
      limit: OUTBOX_BATCH_SIZE,
    });

  const writePage = async (facts: readonly DueFact[], isReminder: boolean): Promise<void> => {
    if (facts.length === 0) return;
    live.callsChanged(changesOf(facts));
    const plans = await planAll(facts);
    const events = plans.flatMap(({ fact, subject }) => (subject === null ? [] : eventsOf(fact, subject)));
    if (events.length > 0) await outbox.add(events);
    await repository.finish(
      facts,
      isReminder,
      plans.flatMap(({ next }) => next ?? []),
    );
  };

  return {
    /** Returns the number of facts. @throws the first failure, after the pages that don't depend on it */
    async write(): Promise<number> {
      let written = 0;
      const failures: unknown[] = [];
      // Their later facts wait, so that they keep their order.
      const failedFor = new Set<string>();
      for (const isReminder of [false, true]) {
        let last: DueFact | undefined;
        const pages = isReminder ? MAX_REMINDER_PAGES : MAX_PAGES;
        for (let page = 0; page < pages; page += 1) {
          const facts = await listPage(isReminder, last);
          // If one channel's sender fails, the others still get the newer facts.
          const inOrder = facts.filter(({ userId }) => !failedFor.has(userId));
          await writePage(inOrder, isReminder).catch((error: unknown) => {
            failures.push(error);
            for (const { userId } of inOrder) failedFor.add(userId);
          });
          written += facts.length;
          last = facts.at(-1);
          if (facts.length < OUTBOX_BATCH_SIZE) break;
        }
      }
      if (failures.length > 0) throw failures[0];
      return written;
    },

    async writeSoon(): Promise<void> {
      try {
        await withTimeout(
          listPage(false, undefined).then((facts) => writePage(facts, false)),
          REQUEST_TIMEOUT_MS,
        );
      } catch (error) {
        console.warn(JSON.stringify({ event: 'messages.delayed', error: describeError(error) }));
      }
    },
  } satisfies MessagesWriter & { write(): Promise<number> };
}

const eventOf = ({ kind, subject, userId }: Omit<OutgoingEvent, 'id'>): OutgoingEvent => ({
  kind,
  id: `${kind}:${subject}`,
  subject,
  userId,
});

function changesOf(facts: readonly DueFact[]): CallChange[] {
  const callers = new Map(facts.map(({ callId, userId }) => [callId, userId]));
  return [...callers].flatMap(([callId, callerId]) => (callId === null ? [] : [{ callId, callerId }]));
}

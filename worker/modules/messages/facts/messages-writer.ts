import { OUTBOX_BATCH_SIZE } from '#schema/constants/messages.ts';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { Base } from '../../../app/base.ts';
import type { CallChange, Live } from '../../../ports/live.ts';
import type { MessagesWriter, Outbox, OutgoingEvent } from '../../../ports/outbox.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { withTimeout } from '../../../shared/with-timeout.ts';
import { forFormerChat } from './former-chat.repository.ts';
import type { FactKinds } from './fact-kinds.ts';
import type { Plan } from './fact-kind.ts';
import { createFactsRepository, type DueFact, type DueQuery } from './facts.repository.ts';

const REQUEST_TIMEOUT_MS = 2 * SECOND_MS;
/** These take 40 statements and write 10,000 rows. The next run goes on. */
export const MAX_FACTS_PER_RUN = 10_000;
/** The senders send these in less than half a minute, because the messages about a call wait behind them. */
const MAX_REMINDERS_PER_RUN = 700;
/** A sender stores a page at once. */
export const FACTS_PER_PAGE = 500;
/** Nine find a fact that always fails among 500. Each takes up to six statements, and two attempts to reach the senders. */
export const MAX_SPLITS_PER_RUN = 20;

interface DuePart {
  readonly isReminder: boolean;
  readonly most: number;
}

const FACTS: DuePart = { isReminder: false, most: MAX_FACTS_PER_RUN };
const REMINDERS: DuePart = { isReminder: true, most: MAX_REMINDERS_PER_RUN };

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

  const listPage = (page: Pick<DueQuery, 'isReminder' | 'after' | 'limit'>) =>
    repository.listDue({ ...page, kinds: [...kinds.keys()], now: clock.now() });

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

  /** Returns the number of facts. @throws the first failure, after the facts that don't depend on it */
  const writeDue = async (parts: readonly DuePart[]): Promise<number> => {
    let written = 0;
    const failures: unknown[] = [];
    const write = writeInParts({ writePage, failures, clock });
    for (const { isReminder, most } of parts) {
      let last: DueFact | undefined;
      for (let left = most; left > 0;) {
        const limit = Math.min(FACTS_PER_PAGE, left);
        const facts = await listPage({ isReminder, after: last, limit });
        await write(facts, isReminder);
        written += facts.length;
        last = facts.at(-1);
        left = facts.length < limit ? 0 : left - limit;
      }
    }
    if (failures.length > 0) throw failures[0];
    return written;
  };

  return {
    write: () => writeDue([FACTS, REMINDERS]),
    writeFacts: () => writeDue([FACTS]),

    async writeSoon(): Promise<void> {
      try {
        await withTimeout(
          listPage({ isReminder: false, after: undefined, limit: OUTBOX_BATCH_SIZE }).then((facts) =>
            writePage(facts, false),
          ),
          REQUEST_TIMEOUT_MS,
        );
      } catch (error) {
        console.warn(JSON.stringify({ event: 'messages.delayed', error: describeError(error) }));
      }
    },
  } satisfies MessagesWriter & Record<'write' | 'writeFacts', () => Promise<number>>;
}

interface WritePages extends Pick<WriterOptions, 'clock'> {
  readonly writePage: (facts: readonly DueFact[], isReminder: boolean) => Promise<void>;
  /** Gets the errors. */
  readonly failures: unknown[];
}

/** Returns a function that writes facts, and each half again after a failure: a fact that always fails holds up no others. */
function writeInParts({ writePage, failures, clock }: WritePages) {
  const waiting = new Set<string>();
  let splits = 0;
  return async function write(facts: readonly DueFact[], isReminder: boolean): Promise<void> {
    // If one channel's sender fails, the others still get the newer facts.
    const inOrder = facts.filter(({ userId }) => !waiting.has(userId));
    try {
      await writePage(inOrder, isReminder);
    } catch (error) {
      failures.push(error);
      if (inOrder.length > 1 && splits < MAX_SPLITS_PER_RUN) {
        splits += 1;
        const half = Math.ceil(inOrder.length / 2);
        await write(inOrder.slice(0, half), isReminder);
        return write(inOrder.slice(half), isReminder);
      }
      // The later facts of the same people wait for a minute, so that they keep their order after a short failure.
      const young = inOrder.filter(({ at }) => at > clock.now() - MINUTE_MS);
      for (const { userId } of young) waiting.add(userId);
    }
  };
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

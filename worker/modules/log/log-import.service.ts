import { LOG_IMPORTED_CALLS } from '#schema/constants.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import type { Clock } from '../../ports/clock.ts';
import type { JobLeases, Lease, Statement } from '../../shared/job-leases.ts';
import {
  createSalt,
  nameEvent,
  endedContent,
  openedContent,
  sealText,
  type LogEvent,
} from '../../shared/log-entries.ts';
import type {
  ImportedCall,
  ImportedQuote,
  ImportedRow,
  ImportedUpdate,
  LogImportRepository,
} from './log-import.repository.ts';

/** How many calls a run looks at. */
export const CALLS_PER_RUN = 500;
/** How many calls are added in one transaction. */
const CALLS_PER_BATCH = 20;

interface LogImportOptions {
  readonly repository: LogImportRepository;
  readonly leases: JobLeases;
  readonly clock: Clock;
}

/** Adds calls, and names of their callers, that aren't in the log. It goes through all calls in a circle. */
export function createLogImportService({ repository, leases, clock }: LogImportOptions) {
  const addCalls = async (missing: readonly ImportedCall[]): Promise<Statement[]> => {
    const ids = missing.map(({ call }) => call.id);
    const active = missing.filter(({ call }) => call.endedAt === null).map(({ call }) => call.id);
    const quotes = Map.groupBy(await repository.listQuotes(ids), ({ callId }) => callId);
    const updates = Map.groupBy(await repository.listUpdates(active), ({ callId }) => callId);
    const [ends = [], others = []] = [1, 0].map((isOpened) =>
      missing
        .filter((each) => each.isOpened === isOpened)
        .map(({ call }) => ({
          call,
          quotes: quotes.get(call.id) ?? [],
          updates: updates.get(call.id) ?? [],
        })),
    );
    return [
      repository.addRows(others.flatMap(rowsOf)),
      ...ends.map((end) => repository.addEnd(endingOf(end))),
    ];
  };

  const addNames = async (calls: readonly ImportedCall[]): Promise<Statement[]> => {
    const unnamed = new Set(
      calls.filter(({ needsName }) => needsName === 1).map(({ call }) => call.callerId),
    );
    const people = unnamed.size === 0 ? [] : await repository.listPeople([...unnamed]);
    return people.map((person) => {
      const names = { handle: person.twitterHandle, name: fullName(person) };
      return repository.addName(person.id, nameEvent({ callerId: person.id, ...names, at: clock.now() }));
    });
  };

  const importBatch = async (lease: Lease, calls: readonly ImportedCall[]): Promise<number> => {
    await lease.keep();
    const missing = calls.filter(({ isMissing }) => isMissing === 1);
    const written = await lease.commit({
      statements: [...(await addCalls(missing)), ...(await addNames(calls))],
      cursor: String(calls.at(-1)?.rowId),
    });
    const ofCalls = written.flat().filter(({ kind }) => kind !== 'name');
    return new Set(ofCalls.map((row) => row['call_id'] ?? row['id'])).size;
  };

  const importNext = async (lease: Lease): Promise<number> => {
    const listed = await repository.listCalls({ after: Number(lease.cursor ?? 0), limit: CALLS_PER_RUN });
    const isDue = ({ isMissing, needsName }: ImportedCall) => isMissing === 1 || needsName === 1;
    const missing = listed.filter(isDue).slice(0, LOG_IMPORTED_CALLS);
    let imported = 0;
    for (let at = 0; at < missing.length; at += CALLS_PER_BATCH) {
      imported += await importBatch(lease, missing.slice(at, at + CALLS_PER_BATCH));
    }
    if (missing.length < LOG_IMPORTED_CALLS) {
      const next = listed.length < CALLS_PER_RUN ? null : String(listed.at(-1)?.rowId);
      await lease.commit({ cursor: next });
    }
    return imported;
  };

  return {
    /**
     * Looks at the next calls, and adds those that are missing, and their callers' names.
     * @returns the number of added calls; null if another run holds the lease
     */
    importCalls: (): Promise<number | null> => leases.run({ job: 'log.import', work: importNext }),
  };
}

interface CallHistory {
  readonly call: ImportedCall['call'];
  readonly quotes: readonly ImportedQuote[];
  readonly updates: readonly ImportedUpdate[];
}

/** The entries of a call that isn't in the log. If it has ended, `build-entry.ts` moves the opening into `reveals`. */
function rowsOf({ call, quotes, updates }: CallHistory): ImportedRow[] {
  const { id, callerId, calledAt, endedAt } = call;
  const place = { caller: callerId, call: id, subject: id, endedAt };
  const thesis = call.thesis === null ? null : sealText(call.thesis);
  const textSalt = thesis?.salt ?? null;
  const opening = {
    ...openedContent({
      ...call,
      thesis: thesis?.commitment ?? null,
      quotes: quotes.filter(({ side }) => side === 'open'),
    }),
    kind: 'opened',
    time: calledAt,
    imported: true,
  } as const;
  if (endedAt !== null) {
    const end = { ...endOf({ call, quotes }), kind: 'ended', time: endedAt, imported: true, opening };
    return [{ ...place, kind: 'ended', content: end, salt: null, textSalt, at: endedAt }];
  }
  const opened = {
    ...place,
    kind: 'opened',
    content: opening,
    salt: createSalt(),
    textSalt,
    at: calledAt,
  } as const;
  const updated = updates.map(({ id: subject, message, createdAt: at }) => {
    const { commitment: text, salt } = sealText(message);
    const content = { call: id, text, kind: 'updated', time: at, imported: true };
    return { ...place, subject, kind: 'updated', content, salt: createSalt(), textSalt: salt, at } as const;
  });
  return [opened, ...updated];
}

const endOf = ({ call, quotes }: Pick<CallHistory, 'call' | 'quotes'>) =>
  endedContent({
    ...call,
    endPrice: call.endPrice ?? '0',
    quotes: quotes.filter(({ side }) => side === 'end'),
  });

/** The end of a call whose opening is in the log. The version before this one may have ended it without an entry. */
function endingOf({ call, quotes }: CallHistory): LogEvent {
  const { id, callerId, endedAt } = call;
  const event = { callerId, callId: id, subjectId: id, at: endedAt ?? 0 };
  return { ...event, kind: 'ended', content: endOf({ call, quotes }), salt: null };
}

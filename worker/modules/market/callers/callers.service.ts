import { MINUTE_MS } from '#schema/constants/time.ts';
import type {
  CallerListItem,
  CallerProfile,
  CallersQuery,
  CallerStatistics,
} from '#schema/contracts/callers.ts';
import { parseSol } from '#schema/rules/money/lamports.ts';
import { normalizeSearch } from '#schema/rules/text/search.ts';
import { isListed } from '#schema/rules/people/standing.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import { cutPage, type Page } from '../../../app/pages.ts';
import { isId } from '../../../shared/ids.ts';
import type { Versioned } from '../../../shared/versioned.ts';
import { standingOf } from '../../money/callers/caller-standing.ts';
import { readOptionalCursor, writeCursor } from '../../../shared/keyset.ts';
import { describeOpenCalls, describeRecord } from './caller-statistics.ts';
import {
  canSeeActiveCalls,
  describeCaller,
  describeProfile,
  describeRecentCalls,
  type Viewing,
} from './caller-view.ts';
import { createCallerResults } from './caller-results.service.ts';
import { createCallersRepository } from './callers.repository.ts';
import { createDirectoryRepository, type DirectoryQuery } from './directory.repository.ts';
import { createLookAlikesRepository } from './look-alikes.repository.ts';
import type { PricesService } from '../prices/prices.service.ts';

interface CallersOptions extends Pick<Base, 'db' | 'clock'> {
  readonly prices: PricesService;
}

export interface CallerRequest {
  readonly usernameOrId: string;
  readonly viewerId: string | null;
}

export type Logged<Value> = Value & { readonly logSize: number };

export type CallersService = ReturnType<typeof createCallersService>;

export function createCallersService(options: CallersOptions) {
  const { db, prices, clock } = options;
  const repository = createCallersRepository(db);
  const directory = createDirectoryRepository(db);
  const lookAlikes = createLookAlikesRepository(db);
  const view = async ({ usernameOrId, viewerId }: CallerRequest): Promise<Viewing> => {
    const now = clock.now();
    const row = await repository.find({ usernameOrId, viewerId, now });
    const isVisible = row !== null && (!row.is_hidden || canSeeActiveCalls({ row, viewerId, now }));
    if (!isVisible) throw new AppError({ code: 'callers.not_found' });
    return { row, viewerId, now };
  };

  const fetchOpenCalls = async (callerId: string) => {
    const open = await repository.listOpenCalls(callerId);
    const mints = open.map(({ tokenMint }) => tokenMint);
    return describeOpenCalls(open, mints.length === 0 ? {} : await prices.storedPrices(mints));
  };

  /** Profiles' addresses have a caller's id, so it finds the caller. */
  const searchOf = async (search: string): Promise<string | null> => {
    if (!isId(search)) return search || null;
    const row = await repository.find({ usernameOrId: search, viewerId: null, now: clock.now() });
    return row === null ? search : normalizeSearch(`@${row.twitter_handle}`);
  };

  return {
    ...createCallerResults(options),

    async list(query: CallersQuery): Promise<Logged<Page<CallerListItem>>> {
      const { limit } = query;
      const now = clock.now();
      const search = await searchOf(query.search);
      const { rows, scannedTo } = await directory.list({ ...readQuery(query), search, limit: limit + 1 });
      const { shown, nextCursor } = cutPage(rows, limit, ({ sort_value, sort_group, id }) => ({
        value: sort_value,
        id,
        group: sort_group,
      }));
      return {
        // Filtering here costs no reads. A page with restricted callers is shorter.
        rows: shown
          .filter((row) => isListed(standingOf(row)))
          .map((row) => ({
            ...describeCaller(row, now),
            recentCalls: describeRecentCalls(row.recent_calls),
          })),
        nextCursor: nextCursor ?? (scannedTo && writeCursor(scannedTo)),
        logSize: rows[0]?.log_size ?? (await repository.readLogSize()),
      };
    },

    /**
     * The version leaves out the look-alikes, because reading them costs the most rows. It changes each minute, so
     * that polls read them once a minute.
     * @throws callers.not_found
     */
    async profile(request: CallerRequest): Promise<Logged<Versioned<CallerProfile>>> {
      const viewing = await view(request);
      return {
        version: [describeProfile(viewing, []), Math.floor(viewing.now / MINUTE_MS)],
        read: async () => describeProfile(viewing, await lookAlikes.list(viewing.row)),
        logSize: viewing.row.log_size,
      };
    },

    findId: async (request: CallerRequest): Promise<string> => (await view(request)).row.id,

    async publicProfile(usernameOrId: string): Promise<Omit<CallerListItem, 'recentCalls'>> {
      const { row, now } = await view({ usernameOrId, viewerId: null });
      return describeCaller(row, now);
    },

    /** Statistics of ranked calls. Includes open calls only for viewers with access. @throws callers.not_found */
    async statistics(
      request: CallerRequest,
    ): Promise<{ readonly statistics: CallerStatistics; readonly logSize: number }> {
      const viewing = await view(request);
      const { row, now } = viewing;
      const [ended, microCaps, openCalls] = await Promise.all([
        repository.listEndedCalls(row.id),
        repository.readMicroCaps(row.id),
        canSeeActiveCalls(viewing) ? fetchOpenCalls(row.id) : null,
      ]);
      const holdings = row.holdings;
      const statistics = { ...describeRecord({ ended, now }), microCaps, openCalls, holdings };
      return { statistics, logSize: row.log_size };
    },
  };
}

const readQuery = (query: CallersQuery): Omit<DirectoryQuery, 'search'> => ({
  sort: query.sort,
  order: query.order,
  maxFeeLamports: query.maxFee === undefined ? null : parseSol(query.maxFee),
  isVerifiedOnly: query.verified !== undefined,
  isPaidOnly: query.paid !== undefined,
  isMicroCapsOnly: query.microCaps !== undefined,
  cursor: readOptionalCursor(query.cursor),
  limit: query.limit,
});

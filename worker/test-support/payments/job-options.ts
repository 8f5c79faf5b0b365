import { createBroadcastsRepository } from '../../modules/money/payments/broadcasts.repository.ts';
import { createIntentsRepository } from '../../modules/money/payments/intents.repository.ts';
import { createLedgerChecksRepository } from '../../modules/money/payments/ledger-checks.repository.ts';
import type { createLedgerCheckService } from '../../modules/money/payments/ledger-check.service.ts';
import { createLedgerRepository } from '../../modules/money/payments/ledger.repository.ts';
import type { createPlatformWalkService } from '../../modules/money/payments/platform-walk.service.ts';
import { createUnreadRepository } from '../../modules/money/payments/unread.repository.ts';
import type { Chain } from '../../adapters/solana-rpc.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Alarm } from '../../shared/alarms.ts';
import { createDatabase } from '../../shared/database.ts';
import { createJobLeases } from '../../shared/job-leases.ts';
import { testEnv } from '../test-app.ts';

type Services = Parameters<typeof createPlatformWalkService>[0] &
  Parameters<typeof createLedgerCheckService>[0];

interface JobOptions {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly alarms: Alarm[];
}

/** The options of the payments' jobs on the test's database, as in a new isolate. Alarms are added to the list. */
export function jobOptions({
  chain,
  clock,
  alarms,
}: JobOptions): Omit<Services, 'platformAddress' | 'signaturesPerRequest'> {
  const db = createDatabase(testEnv.DB);
  const alarm = async (raised: Alarm) => void alarms.push(raised);
  return {
    intents: createIntentsRepository(db),
    broadcasts: createBroadcastsRepository(db),
    ledger: createLedgerRepository(db),
    unread: createUnreadRepository(db),
    checks: createLedgerChecksRepository(db),
    leases: createJobLeases({ db, clock }),
    chain,
    clock,
    live: { peopleChanged: () => undefined },
    metrics: { record: () => undefined },
    alarm,
    alarmOnce: alarm,
  };
}

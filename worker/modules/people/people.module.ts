import { createXIdentityProvider } from '../../adapters/x-api.ts';
import { xAppOf } from '../../adapters/x-oauth.ts';
import type { Base, OptionsOf } from '../../app/base.ts';
import { createDeletionRepository } from './account/deletion.repository.ts';
import { createDeletionService } from './account/deletion.service.ts';
import { createExportRepository } from './account/export.repository.ts';
import { createExportService } from './account/export.service.ts';
import { createApiKeysRepository } from './api-keys/api-keys.repository.ts';
import { createApiKeysService } from './api-keys/api-keys.service.ts';
import { createAuthRepository } from './auth/auth.repository.ts';
import { createAuthService } from './auth/auth.service.ts';
import { createXIdHash } from './auth/x-id-hash.ts';
import { createSessionsRepository } from './auth/sessions.repository.ts';
import { createSessionsService } from './auth/sessions.service.ts';
import { createPaperFollowsRepository } from './paper-follows/paper-follows.repository.ts';
import { createPaperFollowsService } from './paper-follows/paper-follows.service.ts';
import { createReportsRepository } from './reports/reports.repository.ts';
import { createReportsService } from './reports/reports.service.ts';
import { createTermsRepository } from './terms/terms.repository.ts';
import { createTermsService } from './terms/terms.service.ts';
import { createCallerGuard } from './users/caller-guard.ts';
import { createUsersRepository } from './users/users.repository.ts';
import { createUsersService } from './users/users.service.ts';

interface PeopleOptions {
  readonly deletions: OptionsOf<typeof createDeletionService>['deletions'];
  readonly calls: OptionsOf<typeof createDeletionService>['calls'];
  readonly entitlement: OptionsOf<typeof createReportsService>['entitlement'];
  readonly feeGuard: OptionsOf<typeof createUsersService>['feeGuard'];
  readonly live: OptionsOf<typeof createUsersService>['live'];
  readonly newEvents: OptionsOf<typeof createAuthService>['newEvents'];
}

/** Accounts, sessions, accepted terms and reports. */
export function createPeopleModule(base: Base, options: PeopleOptions) {
  const { vars, db, attempts, clock } = base;
  const { calls, deletions, entitlement, feeGuard, live, newEvents } = options;
  const users = createUsersRepository(db);
  const terms = createTermsService({ repository: createTermsRepository(db), clock });
  return {
    callerGuard: createCallerGuard(users),
    terms,
    users: createUsersService({
      repository: users,
      feeGuard,
      terms,
      operatorXIds: vars.OPERATOR_X_IDS,
      live,
      clock,
    }),
    auth: createAuthService({
      repository: createAuthRepository(db),
      identityProvider: createXIdentityProvider(xAppOf(vars)),
      newEvents,
      live,
      hashXId: createXIdHash(vars.X_IDS_KEY),
      clock,
    }),
    apiKeys: createApiKeysService({ repository: createApiKeysRepository(db), clock }),
    sessions: createSessionsService({ repository: createSessionsRepository(db), live, clock }),
    paperFollows: createPaperFollowsService({ repository: createPaperFollowsRepository(db), clock }),
    reports: createReportsService({ repository: createReportsRepository(db), entitlement, attempts, clock }),
    dataExport: createExportService({ repository: createExportRepository(db), attempts, clock }),
    accountDeletion: createDeletionService({
      repository: createDeletionRepository(db),
      deletions,
      calls,
      live,
      clock,
    }),
  };
}

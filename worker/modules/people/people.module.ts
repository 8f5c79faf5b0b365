import { createXIdentityProvider } from '../../adapters/x-api.ts';
import type { Base, OptionsOf } from '../../app/base.ts';
import type { MessagesWriter } from '../../ports/outbox.ts';
import { createSignedTokens } from '../../shared/secrets.ts';
import type { SubscriptionsService } from '../money/subscriptions/subscriptions.service.ts';
import { createDeletionService } from './account/deletion.service.ts';
import { createExportService } from './account/export.service.ts';
import { createApiKeysService } from './api-keys/api-keys.service.ts';
import { createAuthService, createXIdHash } from './auth/auth.service.ts';
import { createPaperFollowsService } from './paper-follows/paper-follows.service.ts';
import { createReportsService } from './reports/reports.service.ts';
import { createTermsService } from './terms/terms.service.ts';
import { createCallerGuard } from './users/caller-guard.ts';
import { createUsersService } from './users/users.service.ts';
import { createWaysService } from './ways/ways.service.ts';

interface PeopleOptions extends Pick<OptionsOf<typeof createUsersService>, 'live' | 'payments' | 'terms'> {
  readonly calls: OptionsOf<typeof createDeletionService>['calls'];
  readonly deletions: OptionsOf<typeof createDeletionService>['deletions'];
  readonly messages: MessagesWriter;
  readonly checkChats: OptionsOf<typeof createWaysService>['checkChats'];
  readonly revokeXTokens: OptionsOf<typeof createWaysService>['revokeXTokens'];
  readonly subscriptions: SubscriptionsService;
}

/** Checks of a user that payments need. They are created before the payments, and so before all other services of people. */
export const createPeopleChecks = (base: Base) => ({
  callerGuard: createCallerGuard(base.db),
  terms: createTermsService(base),
});

export function createPeopleModule(base: Base, options: PeopleOptions) {
  const { vars } = base;
  const identityProvider = createXIdentityProvider(base);
  // This secret never changes, so nobody is signed out by another one.
  const tokens = createSignedTokens(vars.X_IDS_KEY);
  return {
    tokens,
    identify: identityProvider.identify,
    users: createUsersService({ ...base, ...options, operatorXIds: vars.OPERATOR_X_IDS }),
    auth: createAuthService({
      ...base,
      ...options,
      tokens,
      identityProvider,
      hashXId: createXIdHash(vars.X_IDS_KEY),
    }),
    apiKeys: createApiKeysService({ ...base, ...options, tokens }),
    ways: createWaysService({ ...base, ...options, tokens }),
    paperFollows: createPaperFollowsService(base),
    reports: createReportsService({ ...base, ...options }),
    dataExport: createExportService(base),
    accountDeletion: createDeletionService({ ...base, ...options }),
  };
}

import { REPORT_ATTEMPTS } from '#schema/constants/people.ts';
import type { ReportResponse, ReportBody } from '#schema/contracts/reports.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import { createId } from '../../../shared/ids.ts';
import { createReportsRepository } from './reports.repository.ts';
import type { SubscriptionsService } from '../../money/subscriptions/subscriptions.service.ts';

export interface ReportsOptions extends Pick<Base, 'db' | 'attempts' | 'clock'> {
  readonly subscriptions: SubscriptionsService;
}

export function createReportsService({ db, subscriptions, attempts, clock }: ReportsOptions) {
  const repository = createReportsRepository(db);
  return {
    /**
     * Stores a report. A second report of the same subject changes nothing until operators have resolved the first one.
     * @throws reports.not_found, also if the person may not see the subject; reports.own, reports.too_many
     */
    async report(reporterId: string, { kind, id, reason, text }: ReportBody): Promise<ReportResponse> {
      const found = await repository.findReported({ kind, id });
      if (!found) throw new AppError({ code: 'reports.not_found' });
      const { callerId, isPublic } = found;
      if (callerId === reporterId) throw new AppError({ code: 'reports.own' });
      const viewing = { viewerId: reporterId, callerId };
      const canSee =
        isPublic === 1 ? subscriptions.canSeeCaller(viewing) : subscriptions.canSeeActiveCalls(viewing);
      if (!(await canSee)) throw new AppError({ code: 'reports.not_found' });
      const waitMs = await attempts.take({ action: 'reports', person: reporterId, limit: REPORT_ATTEMPTS });
      if (waitMs > 0) throw new AppError({ code: 'reports.too_many', waitMs });
      const isNew = await repository.insert({
        id: createId(),
        reporterId,
        kind,
        subjectId: id,
        callerId,
        reason,
        text: text || null,
        at: clock.now(),
      });
      const message = isNew
        ? 'Thank you. We will look at it.'
        : "You have reported this already, and we're looking at it. This report wasn't added.";
      return { isNew, message };
    },
  };
}

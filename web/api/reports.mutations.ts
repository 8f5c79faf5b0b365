import { mutationOptions } from '@tanstack/react-query';
import type { ReportAnswer, ReportBody } from '#schema/contracts/reports.ts';
import { client, read } from './client.ts';

export const reportMutation = mutationOptions({
  mutationFn: (json: ReportBody): Promise<ReportAnswer> => read(client.api.reports.$post({ json })),
});

import { mutationOptions } from '@tanstack/react-query';
import type { ReportBody } from '#schema/contracts/reports.ts';
import { client, read } from './client.ts';

export const reportMutation = mutationOptions({
  mutationFn: (json: ReportBody) => read(client.api.reports.$post({ json })),
});

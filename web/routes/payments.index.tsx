import { createFileRoute } from '@tanstack/react-router';
import { PaymentsPage } from '#web/features/payments/payments-page.tsx';

export const Route = createFileRoute('/payments/')({ component: PaymentsPage });

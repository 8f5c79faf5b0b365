import { createFileRoute } from '@tanstack/react-router';
import { ReceiptPage } from '#web/features/payments/receipt-page.tsx';

export const Route = createFileRoute('/payments/$signature')({
  component: () => <ReceiptPage signature={Route.useParams().signature} />,
});

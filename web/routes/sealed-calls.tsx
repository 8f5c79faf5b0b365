import { createFileRoute } from '@tanstack/react-router';
import { SealedCallsPage } from '#web/features/documents/sealed-calls-page.tsx';

export const Route = createFileRoute('/sealed-calls')({ component: SealedCallsPage });

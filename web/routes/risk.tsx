import { createFileRoute } from '@tanstack/react-router';
import { DocumentPage } from '#web/features/documents/document-page.tsx';
import text from '#web/features/documents/risk.md?raw';

export const Route = createFileRoute('/risk')({
  component: () => <DocumentPage document="risk" text={text} />,
});

import { createFileRoute } from '@tanstack/react-router';
import { DocumentPage } from '#web/features/documents/document-page.tsx';
import text from '#web/features/documents/privacy.md?raw';

export const Route = createFileRoute('/privacy')({
  component: () => <DocumentPage document="privacy" text={text} />,
});

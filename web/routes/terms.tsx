import { createFileRoute } from '@tanstack/react-router';
import { DocumentPage } from '#web/features/documents/document-page.tsx';
import text from '#web/features/documents/terms.md?raw';

export const Route = createFileRoute('/terms')({
  component: () => <DocumentPage document="terms" text={text} />,
});

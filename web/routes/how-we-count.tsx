import { createFileRoute } from '@tanstack/react-router';
import { HowWeCountPage } from '#web/features/how-we-count/how-we-count-page.tsx';

export const Route = createFileRoute('/how-we-count')({ component: HowWeCountPage });

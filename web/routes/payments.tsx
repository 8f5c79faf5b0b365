import { createFileRoute } from '@tanstack/react-router';
import { requireUser } from './-require-user.ts';

/** What the pages of payments have in common: they are for who is signed in. */
export const Route = createFileRoute('/payments')({ beforeLoad: requireUser });

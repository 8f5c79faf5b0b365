import { createFileRoute } from '@tanstack/react-router';
import { requireUser } from './-require-user.ts';

export const Route = createFileRoute('/payments')({ beforeLoad: requireUser });

import { SignInLink } from './sign-in-link.tsx';

/** Stands in for the content of a dialog that needs a signed-in user. `purpose` follows "Sign in to". */
export function SignInFirst({ purpose }: { purpose: string }) {
  return (
    <div className="space-y-4">
      <p className="text-sm text-text-muted">Sign in to {purpose}.</p>
      <SignInLink variant="primary" className="w-full" />
    </div>
  );
}

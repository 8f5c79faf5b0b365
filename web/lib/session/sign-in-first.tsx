import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { useSignInUrl } from './use-sign-in-url.ts';

/** Stands in for the content of a dialog that needs a signed-in user. `purpose` follows "Sign in to". */
export function SignInFirst({ purpose }: { purpose: string }) {
  const signInUrl = useSignInUrl();
  return (
    <div className="space-y-4">
      <p className="text-sm text-text-muted">Sign in to {purpose}.</p>
      <a href={signInUrl} className={buttonClassName({ variant: 'primary', className: 'w-full' })}>
        Sign in with Twitter
      </a>
    </div>
  );
}

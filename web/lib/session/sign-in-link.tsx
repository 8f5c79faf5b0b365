import { LinkButton, type LinkButtonProps } from '#web/ui/controls/link-button.tsx';
import { useSignInUrl } from './use-sign-in-url.ts';

export function SignInLink(props: Pick<LinkButtonProps, 'variant' | 'size' | 'className'>) {
  return (
    <LinkButton href={useSignInUrl()} {...props}>
      Sign in with Twitter
    </LinkButton>
  );
}

/** Replaces the content of a dialog that needs a signed-in user. `purpose` follows "Sign in to". */
export function SignInFirst({ purpose }: { purpose: string }) {
  return (
    <div className="space-y-4">
      <p className="text-sm text-text-muted">Sign in to {purpose}.</p>
      <SignInLink variant="primary" className="w-full" />
    </div>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { useSignInUrl } from '#web/lib/session/use-sign-in-url.ts';
import { useToast } from '#web/ui/overlays/toast.tsx';

/** Returns a function that resolves to true if the user is signed in. If not, a toast asks them to sign in. */
export function useSignedInCheck(): () => Promise<boolean> {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const signInUrl = useSignInUrl();
  return useCallback(async () => {
    // The session may still be loading. Wait for it instead of asking a signed-in user to sign in.
    const user = await queryClient.ensureQueryData(currentUserQuery).catch(() => null);
    if (user) return true;
    toast({
      title: 'Please Sign In',
      description: 'You need to sign in to subscribe to callers.',
      variant: 'destructive',
      action: { label: 'Sign in with Twitter', href: signInUrl },
    });
    return false;
  }, [queryClient, toast, signInUrl]);
}

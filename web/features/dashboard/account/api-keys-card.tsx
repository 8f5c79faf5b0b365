import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '#schema/contracts/api-keys.ts';
import { apiKeysQuery, revokeApiKeyMutation } from '#web/api/api-keys.queries.ts';
import { formatMinute } from '#web/lib/text/dates.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { useToasts } from '#web/lib/page/use-toasts.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { API_KEYS_ANCHOR, CreateApiKeyDialog } from './create-api-key-dialog.tsx';

const TITLE = 'API Keys';

/** The keys of the user's own programs. */
export function ApiKeysCard({ isCaller, className }: { isCaller: boolean; className?: string }) {
  const query = useQuery(apiKeysQuery);
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Card title={TITLE} id={API_KEYS_ANCHOR} className={className} isFlush>
      <ListState query={query} what="your API keys">
        {(keys) => (
          <>
            <ul aria-label={TITLE} className="divide-y divide-line">
              {keys.map((key) => (
                <ApiKeyRow key={key.id} apiKey={key} />
              ))}
            </ul>
            <div className={keys.length > 0 ? 'border-t border-line p-4' : 'p-4'}>
              <p className="text-sm text-text-muted">
                Your own programs sign in with a key and see what you see.{' '}
                <a href="/api/docs/bot" className="underline decoration-line-strong underline-offset-4">
                  Build a bot in ten minutes
                </a>
              </p>
              <Button className="mt-4 w-full" onClick={() => setIsCreating(true)}>
                Create a key
              </Button>
            </div>
          </>
        )}
      </ListState>
      <CreateApiKeyDialog isCaller={isCaller} open={isCreating} onOpenChange={setIsCreating} />
    </Card>
  );
}

function ApiKeyRow({ apiKey: { id, name, mayCall, createdAt, lastUsedAt } }: { apiKey: ApiKey }) {
  const { toast, showError } = useToasts();
  const revoke = useMutation({
    ...revokeApiKeyMutation,
    onSuccess: () => toast({ title: 'Key Revoked', description: `${name} can no longer use your account.` }),
    onError: (error) => showError(error, 'Failed to revoke the key'),
  });
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
          <bdi className="min-w-0 break-words">{name}</bdi>
          <Badge size="sm">{mayCall ? 'May call' : 'Reads'}</Badge>
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-2 text-xs text-text-muted">
          <span>
            Created <time dateTime={createdAt}>{formatMinute(createdAt)}</time>
          </span>
          <span>
            {lastUsedAt === null ? (
              'Never used'
            ) : (
              <>
                Last used <RelativeTime at={lastUsedAt} className="lowercase" />
              </>
            )}
          </span>
        </p>
      </div>
      <Button
        variant="ghost"
        size="sm"
        aria-label={`Revoke ${name}`}
        isPending={revoke.isPending}
        onClick={() => revoke.mutate(id)}
      >
        Revoke
      </Button>
    </li>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { collapseBlankLines } from '#web/lib/text/blank-lines.ts';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { Card } from '#web/ui/lists/card.tsx';

const EditBioDialog = lazyDialog(async () => (await import('./edit-bio-dialog.tsx')).EditBioDialog);

export interface BioSectionProps {
  bio: string | null;
  isOwner: boolean;
}

export function BioSection({ bio, isOwner }: BioSectionProps) {
  const queryClient = useQueryClient();
  const [isEditing, setIsEditing] = useState(false);
  const startEditing = async () => {
    // Drafts are stored per user. Wait for the account, which may still be loading.
    await queryClient.ensureQueryData(currentUserQuery).catch(() => null);
    setIsEditing(true);
  };
  const shown = collapseBlankLines((bio ?? '').replace(/\r\n?/g, '\n')).trim();
  const emptyText = isOwner ? 'Add a bio to tell others about yourself.' : 'No bio available.';
  const edit = isOwner && (
    <button
      type="button"
      aria-label="Edit bio"
      className={buttonClassName({ variant: 'ghost', size: 'icon', className: '-my-2 -mr-2' })}
      onClick={() => void startEditing()}
    >
      <Pencil aria-hidden="true" size={16} />
    </button>
  );
  return (
    <Card title="About" aside={edit}>
      {shown ? (
        <p dir="auto" className="text-sm whitespace-pre-line [unicode-bidi:plaintext]">
          {shown}
        </p>
      ) : (
        <p className="text-sm text-text-muted">{emptyText}</p>
      )}
      {isOwner && <EditBioDialog bio={bio ?? ''} open={isEditing} onOpenChange={setIsEditing} />}
    </Card>
  );
}

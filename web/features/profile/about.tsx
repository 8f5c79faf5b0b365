import { Pencil } from '#web/ui/icons.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { collapseBlankLines } from '#web/lib/text/blank-lines.ts';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';

const EditBioDialog = lazyDialog(async () => (await import('./edit-bio-dialog.tsx')).EditBioDialog);

export function About({ bio, isOwner }: { bio: string | null; isOwner: boolean }) {
  const queryClient = useQueryClient();
  const [isEditing, setIsEditing] = useState(false);
  const startEditing = async () => {
    // Drafts are stored per user. Wait for the account, which may still be loading.
    await queryClient.ensureQueryData(currentUserQuery).catch(() => null);
    setIsEditing(true);
  };
  const shown = collapseBlankLines((bio ?? '').replace(/\r\n?/g, '\n')).trim();
  const emptyText = isOwner ? 'Add a bio to tell others about yourself.' : 'No bio available.';
  return (
    <section className="flex items-start gap-3 text-sm">
      <h2 className="font-semibold">About</h2>
      <div className="min-w-0 flex-1">
        {shown ? <Bio bio={shown} /> : <p className="text-text-muted">{emptyText}</p>}
      </div>
      {isOwner && (
        <>
          <button
            type="button"
            aria-label="Edit bio"
            className={buttonClassName({ variant: 'ghost', size: 'icon', className: '-my-3' })}
            onClick={() => void startEditing()}
          >
            <Pencil aria-hidden="true" size={16} />
          </button>
          <EditBioDialog bio={bio ?? ''} open={isEditing} onOpenChange={setIsEditing} />
        </>
      )}
    </section>
  );
}

/** The beginning of the first line, if possible up to the end of a word. */
const START = /^.{1,120}(?!\S)|^.{1,120}/u;

/** The start of a bio, and the rest on demand. */
function Bio({ bio }: { bio: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const start = START.exec(bio)?.[0] ?? '';
  const isCut = !isWhole && start !== bio;
  return (
    <p dir="auto" className="whitespace-pre-line [unicode-bidi:plaintext]">
      {isCut ? `${start}… ` : bio}
      {isCut && (
        <button type="button" className="link" onClick={() => setIsWhole(true)}>
          more
        </button>
      )}
    </p>
  );
}

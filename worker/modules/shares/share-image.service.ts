import type { CallerSummary } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { PictureSource } from '../../ports/picture-source.ts';
import { drawCallerCard, type CallerRecord } from './caller-card.ts';
import type { CardPerson } from './card-drawing.ts';
import { canDraw, renderPng } from './render-png.ts';
import { describeEndedCall, drawShareCard } from './share-card.ts';

/** Ended calls by id; an active one does not exist here: throws `calls.not_found` for both. */
export interface EndedCallPort {
  getEnded(id: string): Promise<TokenCall>;
}

/** Callers as everybody may see them, by id or handle in any case. Throws `callers.not_found`. */
export interface PublicCallerPort {
  publicProfile(usernameOrId: string): Promise<CallerSummary & CallerRecord>;
}

/** A PNG of 1200×675, the same for everybody. */
export interface CardImage {
  readonly png: Uint8Array<ArrayBuffer>;
  /** The caller's picture did not come, and a letter stands in its place: another time the image may be better. */
  readonly isProvisional: boolean;
}

export interface ShareImageDependencies {
  readonly calls: EndedCallPort;
  readonly callers: PublicCallerPort;
  readonly pictures: PictureSource;
}

export function createShareImageService({ calls, callers, pictures }: ShareImageDependencies) {
  const draw = async (caller: CallerSummary, card: (person: CardPerson) => string): Promise<CardImage> => {
    const answer = await pictures.fetch(caller.profileImageUrl);
    const picture = answer.outcome === 'picture' && (await canDraw(answer.picture)) ? answer.picture : null;
    const person = {
      name: `${caller.firstName} ${caller.lastName}`,
      handle: caller.twitterHandle,
      isVerified: caller.isVerified,
      picture,
    };
    return {
      png: await renderPng(card(person)),
      isProvisional: picture === null && answer.outcome !== 'none',
    };
  };

  return {
    /** The share image of an ended call. @throws calls.not_found */
    async ofCall(callId: string): Promise<CardImage> {
      const call = await calls.getEnded(callId);
      return draw(call.caller, (caller) => drawShareCard({ call: describeEndedCall(call), caller }));
    },

    /**
     * The card of a caller, by their id or their handle just as they write it; `null` for another spelling of the handle.
     * @throws callers.not_found
     */
    async ofCaller(usernameOrId: string): Promise<CardImage | null> {
      const caller = await callers.publicProfile(usernameOrId);
      if (usernameOrId !== caller.id && usernameOrId !== caller.twitterHandle) return null;
      return draw(caller, (person) => drawCallerCard({ caller: person, record: caller }));
    },
  };
}

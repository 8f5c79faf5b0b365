import type { CallerSummary } from '#schema/contracts/callers.ts';
import type { EndedCall } from '#schema/contracts/calls.ts';
import type { Recap } from '#schema/rules/calls/recap.ts';
import type { AvatarResponse } from '../../../adapters/x-avatars.ts';
import { nullOnErrorCode } from '../../../app/errors.ts';
import type { PublicOptions } from '../public-options.ts';
import { drawCallerCard, type CallerRecord } from './caller-card.ts';
import type { CardPerson } from './card-drawing.ts';
import type { CallRecord } from './card-text.ts';
import { addCallId } from './png-call-id.ts';
import { drawHeadlineCard } from './headline-card.ts';
import { drawRecapCard } from './recap-card.ts';
import { canDraw, renderPng } from './render-png.ts';
import { drawShareCard } from './share-card.ts';

/** A PNG of 1200×675 px, the same for every viewer. */
export interface CardImage {
  readonly png: Uint8Array<ArrayBuffer>;
  /** True if X did not send the caller's image; a later drawing may have it. */
  readonly isProvisional: boolean;
}

/** Fetches a caller's image from X. Resolves within two seconds. */
type FetchAvatar = (callerId: string) => Promise<AvatarResponse>;

interface Cards {
  readonly fetchAvatar: FetchAvatar;
  /** The site's address on the cards. */
  readonly host: string;
}

type ShareImageDependencies = Cards & Pick<PublicOptions, 'callers' | 'calls'>;

type DrawnRecap = Pick<RecapRequest, 'recap' | 'period'>;

export interface RecapRequest {
  readonly callerId: string;
  readonly recap: Recap;
  readonly period: string;
}

export type ShareImageService = ReturnType<typeof createShareImageService>;

export function createShareImageService({ calls, callers, ...options }: ShareImageDependencies) {
  const cards = createCards(options);
  return {
    drawSite: cards.drawSite,

    async drawRecap({ callerId, ...recap }: RecapRequest): Promise<CardImage> {
      return cards.drawRecap(await callers.publicProfile(callerId), recap);
    },

    /** The share image of an ended call, with the caller's record as it is now. @throws calls.not_found */
    async drawCall(callId: string) {
      const call = await calls.getEnded(callId);
      const profile = callers.publicProfile(call.callerId);
      return cards.drawCall(call, await nullOnErrorCode('callers.not_found', profile));
    },

    /**
     * Draws a caller's card. `null` if the handle's letter case differs, so that caches store each card
     * only once.
     * @throws callers.not_found
     */
    async drawCaller(usernameOrId: string): Promise<CardImage | null> {
      const caller = await callers.publicProfile(usernameOrId);
      const isCanonical = usernameOrId === caller.id || usernameOrId === caller.twitterHandle;
      return isCanonical ? cards.drawCaller(caller) : null;
    },
  };
}

const SITE = {
  figure: ['Solana token calls'],
  details: ['with their whole record: what a month made after the fee,', 'wins and losses alike'],
  changePercent: 100,
} as const;

export function createCards({ fetchAvatar, host }: Cards) {
  const draw = async (caller: CallerSummary, drawSvg: (person: CardPerson) => string): Promise<CardImage> => {
    const response = await fetchAvatar(caller.id);
    const avatar = typeof response !== 'string' && (await canDraw(response)) ? response : null;
    const person = {
      name: `${caller.firstName} ${caller.lastName}`,
      handle: caller.twitterHandle,
      isVerified: caller.isVerified,
      avatar,
    };
    return {
      png: await renderPng(drawSvg(person)),
      isProvisional: avatar === null && response !== 'none',
    };
  };

  return {
    drawSite: async (): Promise<CardImage> => ({
      png: await renderPng(drawHeadlineCard({ ...SITE, host })),
      isProvisional: false,
    }),

    drawRecap: (caller: CallerSummary, recap: DrawnRecap): Promise<CardImage> =>
      draw(caller, (person) => drawRecapCard({ ...recap, caller: person, host })),

    /** The image contains the call's id (`readCallId`). */
    async drawCall(call: EndedCall, record: CallRecord | null) {
      const image = await draw(call.caller, (caller) => drawShareCard({ call, caller, record, host }));
      return { ...image, png: addCallId(image.png, call.id), callerId: call.caller.id };
    },

    drawCaller: (caller: CallerSummary & CallerRecord): Promise<CardImage> =>
      draw(caller, (person) => drawCallerCard({ caller: person, record: caller, host })),
  };
}

import { THESIS_MAX_LENGTH } from '../../constants/market.ts';
import { UPDATE_MESSAGE_MAX_LENGTH } from '../../constants/messages.ts';
import { BIO_MAX_LENGTH } from '../../constants/people.ts';
import { TWEET_MAX_LENGTH } from '../../constants/public.ts';

const tooLong = (text: string, max: number) => `${text} can have at most ${max} characters. Shorten it.`;

export const TOO_LONG_MESSAGES = {
  bio: tooLong('A bio', BIO_MAX_LENGTH),
  thesis: tooLong('A thesis', THESIS_MAX_LENGTH),
  tweet: tooLong('A tweet', TWEET_MAX_LENGTH),
  update: tooLong('An update', UPDATE_MESSAGE_MAX_LENGTH),
} as const;

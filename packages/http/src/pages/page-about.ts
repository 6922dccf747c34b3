import { ERRORS, type ErrorCode } from '@gatehouse/auth-core';
import { z } from 'zod';
import type { RawAbout, RawAnswer } from '../rest/raw-about.js';
import type { Tag } from '../trpc/tags.js';

const html = { 'text/html': z.string() };

/** An answer that is a page. */
export function pageAnswer(description: string): RawAnswer {
  return { description, content: html };
}

function refusalPage(code: ErrorCode): RawAnswer {
  const isLimit = code === 'rate_limited' || code === 'unavailable';
  const headers = { 'Retry-After': 'Seconds until it is worth trying again.' };
  return { ...pageAnswer('The page, with the reason.'), ...(isLimit ? { headers } : {}) };
}

/**
 * The documents' description of one of our pages.
 * @param page `form` has its posted fields, `query` those of a link; `shows` are the refusals that the page
 * renders, `refuses` those sent in the error envelope
 */
export function pageAbout(page: {
  readonly tag: Tag;
  readonly description: string;
  readonly params?: RawAbout['params'];
  readonly query?: z.ZodObject;
  readonly form?: z.ZodObject;
  readonly shows?: readonly ErrorCode[];
  readonly refuses: readonly ErrorCode[];
}): RawAbout {
  const { tag, params, query, form, shows = [] } = page;
  const shown = shows.map((code) => [ERRORS[code].status, refusalPage(code)] as const);
  const ofForms: readonly ErrorCode[] = form
    ? ['origin_refused', 'invalid_input', 'payload_too_large', 'unsupported_media_type']
    : [];
  return {
    tag,
    ...(params ? { params } : {}),
    ...(query ? { query } : {}),
    ...(form
      ? { body: { types: ['application/x-www-form-urlencoded', 'application/json'], schema: form } }
      : {}),
    answers: { ...Object.fromEntries(shown), 200: pageAnswer(page.description) },
    refuses: [...page.refuses, ...ofForms],
  };
}

import { pageAbout } from '@gatehouse/http/pages/page-about';
import { type RestRow, rawRow } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import type { Context } from '../app/context.js';
import { begin } from './begin.js';
import { conclude } from './conclude.js';
import { deleteData, deletionStatus } from './data-deletion.js';

const provider = z.string().max(50).describe('The key of a provider');
const word = z.string().optional();

const redirects = {
  302: {
    description: 'To the provider, or to the front end with what came of it',
    headers: { Location: 'Where the browser goes on' },
  },
};

/** The routes that redirect browsers to a provider and back, and Facebook's deletion callback. */
export const socialVisitRows: readonly RestRow<Context>[] = [
  rawRow(
    ['POST'],
    '/social/facebook/dataDeletion',
    'Deletes what Facebook told about a person',
    {
      tag: 'social',
      body: {
        types: ['application/x-www-form-urlencoded', 'application/json'],
        schema: z.object({ signed_request: z.string() }),
      },
      answers: {
        200: {
          description: 'It is deleted',
          content: { 'application/json': z.object({ url: z.url(), confirmation_code: z.string() }) },
        },
      },
      refuses: [
        'invalid_signature',
        'invalid_input',
        'provider_not_configured',
        'payload_too_large',
        'unsupported_media_type',
        'unavailable',
      ],
    },
    deleteData,
  ),
  rawRow(
    ['GET'],
    '/social/facebook/dataDeletion/:code',
    'Tells what became of such a deletion',
    pageAbout({
      tag: 'social',
      description: 'When it was deleted',
      params: { code: z.string().max(200) },
      refuses: ['not_found', 'unavailable'],
    }),
    deletionStatus,
  ),
  rawRow(
    ['GET'],
    '/social/:provider',
    'Sends a browser to a provider to sign in or connect',
    {
      tag: 'social',
      params: { provider },
      query: z.object({ connect: word }),
      answers: redirects,
      refuses: ['not_found', 'provider_not_configured'],
    },
    begin,
  ),
  rawRow(
    ['GET'],
    '/social/:provider/callback',
    'Takes a browser back from a provider',
    {
      tag: 'social',
      params: { provider },
      query: z.object({ code: word, state: word, error: word, error_code: word, denied: word }),
      answers: redirects,
      refuses: ['not_found', 'provider_not_configured'],
    },
    conclude,
  ),
];

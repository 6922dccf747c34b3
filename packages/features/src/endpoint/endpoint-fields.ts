import { z } from 'zod';

/** How many endpoints an account, or the deployment, may have. */
export const MAX_ENDPOINTS = 10;

export const endpointId = z.int().positive();

/** A moment as answers have it, in ISO 8601. */
export const moment = z.iso.datetime();

export const toMoment = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();

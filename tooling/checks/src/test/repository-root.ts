import { fileURLToPath } from 'node:url';

/** The root of this repository, whose own configuration the rule tests use. */
export const REPOSITORY_ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

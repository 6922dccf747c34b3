import { fileURLToPath } from 'node:url';

/** What projects that use the client have installed: frameworks and compilers. */
export const FRAMEWORKS = fileURLToPath(
  new URL('../../../../tooling/frameworks/node_modules/', import.meta.url),
);

import { findProgram } from './find-program.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const OUTSIDE_PATH = ['/usr/bin', '/usr/local/bin', '/snap/bin'];

/** The path of an installed Chromium or Chrome; undefined without one. */
export function findChromium(): string | undefined {
  return NAMES.map((name) => findProgram(name, OUTSIDE_PATH)).find((path) => path !== undefined);
}

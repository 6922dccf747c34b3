import { findProgram } from './find-program.js';

/** The shell first: the same engine without the windows around it, whose own pages cost as much as ours. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const OUTSIDE_PATH = ['/usr/bin', '/usr/local/bin', '/snap/bin'];

/** The path of an installed Chromium or Chrome, of its headless shell where there is one; undefined without one. */
export function findChromium(): string | undefined {
  return NAMES.map((name) => findProgram(name, OUTSIDE_PATH)).find((path) => path !== undefined);
}

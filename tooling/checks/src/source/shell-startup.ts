import type { Check } from '../check.js';
import { lineAt } from '../line-at.js';

/** How a program of ours starts bash, with its first argument if it is beside the name. */
const BASH = /(?<![\w:])'bash',\s*\[(?!\s*'--norc')/g;

/**
 * Bash that is started by Node without a terminal may believe that it runs at the end of a network connection, and then reads the
 * startup file of the machine, which may fail under `set -u`. `--norc` keeps it from that.
 */
export const shellStartup: Check = {
  name: 'shell-startup',
  run: (repository) =>
    repository.paths
      .filter((path) => /\.m?tsx?$/.test(path))
      .flatMap((path) => {
        const text = repository.read(path);
        return [...text.matchAll(BASH)].map(({ index }) => ({
          path,
          line: lineAt(text, index),
          message: "start bash with '--norc': it may read the startup file of the machine otherwise",
        }));
      }),
};

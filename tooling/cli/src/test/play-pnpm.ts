import { fileURLToPath } from 'node:url';

const pathOf = (path: string) => `'${fileURLToPath(new URL(`../../../../${path}`, import.meta.url))}'`;
const built = (path: string) => `'${process.execPath}' ${pathOf(`tooling/${path}`)}`;

/**
 * For a shell: lets `pnpm` run what scripts of the repository run, as built (but `dev` from the sources), in the folder where it is
 * called. `pnpm start` and `pnpm dev` are last lines.
 */
export const PLAY_PNPM = `pnpm() {
  if [ "$1" = -s ]; then shift; fi
  local script=$1
  shift
  case $script in
  gatehouse) ${built('cli/dist/main.js')} "$@" ;;
  start) exec ${built('cli/dist/main.js')} start "$@" ;;
  dev) exec ${pathOf('node_modules/.bin/tsx')} --conditions=@gatehouse/source ${pathOf('tooling/cli/src/main.ts')} start --watch ;;
  simulate) ${built('simulator/dist/main.js')} "$@" ;;
  bench:lists) ${built('bench/dist/lists/main.js')} "$@" ;;
  *) echo "nothing plays pnpm $script" >&2; return 1 ;;
  esac
}`;

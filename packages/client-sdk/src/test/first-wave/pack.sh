#!/bin/sh
# Packs the client of the first wave, as it was published, from commit 94edc0b: the newest before members could have a second factor.
# Usage, in a checkout of this repository: packages/client-sdk/src/test/first-wave/pack.sh FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
git worktree add --detach "$1" 94edc0b
cd "$1"
npx --yes pnpm@10 install
npx --yes pnpm@10 exec turbo run build --filter=@gatehouse/client-sdk...
cd packages/client-sdk
npx --yes pnpm@10 pack --pack-destination "$here"

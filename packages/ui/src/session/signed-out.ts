/** The tabs of one app; the other app, which may be at the same origin, has sessions of its own. */
const channelOf = (home: string): BroadcastChannel => new BroadcastChannel(`gatehouse.signed-out ${home}`);

/** Tells the other tabs of the app at a path that their reader has signed out. */
export function tellSignedOut(home: string): void {
  const channel = channelOf(home);
  channel.postMessage(null);
  channel.close();
}

/** Calls a listener when the reader signs out in another tab of the app. Returns a function that stops it. */
export function watchSignedOut(home: string, listener: () => void): () => void {
  const channel = channelOf(home);
  channel.onmessage = listener;
  return () => channel.close();
}

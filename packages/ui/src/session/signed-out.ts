let channel: BroadcastChannel | undefined;

/**
 * The tabs of one app; the other app, which may be at the same origin, has sessions of its own. A page has one channel, which
 * does not receive its own messages: the page that signs out may be on its way to the identity provider.
 */
function channelOf(home: string): BroadcastChannel {
  channel ??= new BroadcastChannel(`gatehouse.signed-out ${home}`);
  return channel;
}

/** Tells the other tabs of the app at a path that their reader has signed out. */
export function tellSignedOut(home: string): void {
  channelOf(home).postMessage(null);
}

/** Calls a listener when the reader signs out in another tab of the app. Returns a function that stops it. */
export function watchSignedOut(home: string, listener: () => void): () => void {
  const watched = channelOf(home);
  watched.onmessage = listener;
  return () => {
    watched.onmessage = null;
  };
}

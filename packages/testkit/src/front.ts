/** Something that stands between tests and a service they start, as a proxy does. Closing it may fail the test. */
export interface Front extends AsyncDisposable {
  readonly url: string;
}

type OpenFront = (serviceUrl: string) => Promise<Front>;

const state: { open: OpenFront | undefined } = { open: undefined };

/** Puts something in front of every service that is started from now on; nothing, when called without. */
export function putInFront(open?: OpenFront): void {
  state.open = open;
}

export async function openFront(serviceUrl: string): Promise<Front | undefined> {
  return state.open?.(serviceUrl);
}

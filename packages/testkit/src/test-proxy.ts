/** A proxy between tests and a service they start. Closing it may fail the test. */
export interface TestProxy extends AsyncDisposable {
  readonly url: string;
}

type OpenTestProxy = (serviceUrl: string) => Promise<TestProxy>;

const state: { open: OpenTestProxy | undefined } = { open: undefined };

/** Starts a proxy for every service started from now on; without an argument, none. */
export function putProxyInFront(open?: OpenTestProxy): void {
  state.open = open;
}

/** Whether services are behind a proxy. */
export function isProxied(): boolean {
  return state.open !== undefined;
}

export async function openTestProxy(serviceUrl: string): Promise<TestProxy | undefined> {
  return state.open?.(serviceUrl);
}

/** Something that stands between tests and a service they start, as a proxy does. Closing it may fail the test. */
export interface TestProxy extends AsyncDisposable {
  readonly url: string;
}

type OpenTestProxy = (serviceUrl: string) => Promise<TestProxy>;

const state: { open: OpenTestProxy | undefined } = { open: undefined };

/** Puts a proxy before every service that is started from now on; nothing, when called without. */
export function putProxyInFront(open?: OpenTestProxy): void {
  state.open = open;
}

export async function openTestProxy(serviceUrl: string): Promise<TestProxy | undefined> {
  return state.open?.(serviceUrl);
}

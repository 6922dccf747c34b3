/** The paths of all screens for people who are signed in, in one account, as the router has them. */
export async function screensSignedIn(accountId: number): Promise<readonly string[]> {
  // The client of the service asks where its page is.
  globalThis.location ??= new URL('http://localhost/portal/') as unknown as Location;
  const { router } = await import('../signed-in/router.js');
  return Object.keys(router.routesByPath)
    .map((path) => path.slice(1).replace('$account', String(accountId)))
    .filter((path) => !path.includes('$'));
}

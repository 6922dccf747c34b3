interface Named {
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
}

/** What somebody is called on the pages: their names, else their username. */
export function shownName({ firstName, lastName, username }: Named): string {
  return `${firstName} ${lastName}`.trim() || username;
}

/** What somebody is called: by their names, or else by the username. */
export function personName(person: {
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
}): string {
  return [person.firstName, person.lastName].join(' ').trim() || person.username;
}

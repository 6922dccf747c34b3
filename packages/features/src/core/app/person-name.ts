/** A person's display name: their names, or else the username. */
export function personName(person: {
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
}): string {
  return [person.firstName, person.lastName].join(' ').trim() || person.username;
}
